import { expect } from './fixtures.ts'
import type { Answered, Client } from './http.ts'

/** The redirect to the dashboard as React Router encodes it for its own client. */
const ENCODED = /^\[\["SingleFetchRedirect",1\],\{[^}]*\},"redirect","\/dashboard","status",302,/

/** Fails unless the page at this path and its data redirect to the dashboard and hold nothing else. */
export async function expectPageSendsAway(client: Client, path: string): Promise<void> {
  const { status, headers, text } = await client.get(path)
  expect([path, status, headers.location, text.slice(0, 80)]).toEqual([path, 302, '/dashboard', ''])
  const data = await client.get(`${path}.data`)
  expect([path, data.status, data.text]).toEqual([path, 202, expect.stringMatching(ENCODED)])
}

const FORBIDDEN = 'No tiene permisos para realizar esta acción.'

/** Fails unless the form was refused by its use case. */
export function expectForbidden(what: string, { status, headers, text }: Answered): void {
  expect([what, status, headers.location, text.includes(FORBIDDEN)]).toEqual([
    what,
    403,
    undefined,
    true,
  ])
}
