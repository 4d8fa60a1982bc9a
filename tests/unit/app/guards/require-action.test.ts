import {
  createContext,
  createStaticHandler,
  type MiddlewareFunction,
  RouterContextProvider,
} from 'react-router'
import { expect, test } from 'vitest'
import { requireAction } from '#app/guards/require-action.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Role } from '#server/domain/identity/role.ts'
import type { System } from '#server/system.ts'
import { anOffice, asPerson, aUser, stranger } from '#tests/support/builders.ts'

const seenContext = createContext<string[]>()

let recorded: string[] = []

/** Two pages behind a guard for `audit.read`: administrators, notaries and auditors. */
const { query } = createStaticHandler([
  {
    id: 'guard',
    middleware: [
      requireAction('audit.read', async (_system, _person, action) => {
        recorded.push(action)
      }) as MiddlewareFunction<unknown>,
    ],
    children: ['/one', '/two'].map((path) => ({
      id: path,
      path,
      loader: ({ context }: { context: Readonly<RouterContextProvider> }) => {
        context.get(seenContext).push(path)
        return null
      },
      action: ({ context }: { context: Readonly<RouterContextProvider> }) => {
        context.get(seenContext).push(`${path} form`)
        return null
      },
    })),
  },
])

type Visit = { status: number; location: string | null; seen: string[]; recorded: string[] }

/** @param rendered the status of the page that the routes come to */
async function visit(
  path: string,
  actor: Actor,
  { method = 'GET', rendered = 200 } = {},
): Promise<Visit> {
  const request = () => new Request(`http://localhost:3000${path}`, { method })
  const requestContext = new RouterContextProvider()
  const seen: string[] = []
  recorded = []
  requestContext.set(actorContext, actor)
  requestContext.set(systemContext, {} as System)
  requestContext.set(seenContext, seen)
  const answer = await query(request(), {
    requestContext,
    generateMiddlewareResponse: async (run) => {
      const result = await run(request())
      return result instanceof Response ? result : new Response('page', { status: rendered })
    },
  })
  if (!(answer instanceof Response)) throw new Error('no answer')
  return { status: answer.status, location: answer.headers.get('Location'), seen, recorded }
}

const personWith = (...roles: Role[]) => asPerson(aUser(anOffice(), { roles }))

test('role guard: lets a user pass if a role allows the action', async () => {
  for (const role of ['ADMIN', 'AUDITOR'] as const)
    expect(await visit('/one', personWith('CLERK', role))).toEqual({
      status: 200,
      location: null,
      seen: ['/one'],
      recorded: [],
    })
})

test('role guard: redirects other users to the dashboard before any loader and records it', async () => {
  for (const actor of [personWith('CLERK', 'LAWYER'), personWith()])
    for (const path of ['/one', '/two'])
      expect(await visit(path, actor)).toEqual({
        status: 302,
        location: '/dashboard',
        seen: [],
        recorded: ['audit.read'],
      })
})

test('role guard: leaves a form that its use case refuses to the use case', async () => {
  const sent = { method: 'POST', rendered: 403 }
  expect(await visit('/one', personWith('CLERK'), sent)).toEqual({
    status: 403,
    location: null,
    seen: ['/one form', '/one'],
    recorded: [],
  })
})

test('role guard: redirects any other answer to a form and records it', async () => {
  for (const rendered of [200, 303, 404, 422])
    expect(await visit('/one', personWith('CLERK'), { method: 'POST', rendered })).toMatchObject({
      status: 303,
      location: '/dashboard',
      recorded: ['audit.read'],
    })
})

test('role guard: redirects a visitor without running the action or recording anything', async () => {
  for (const method of ['GET', 'POST'])
    expect(await visit('/one', stranger(), { method })).toEqual({
      status: 302,
      location: '/dashboard',
      seen: [],
      recorded: [],
    })
})
