import {
  createContext,
  createStaticHandler,
  type MiddlewareFunction,
  RouterContextProvider,
} from 'react-router'
import { expect, test } from 'vitest'
import { requireRoles } from '#app/guards/role.ts'
import { actorContext } from '#app/http/context.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { anOffice, asPerson, aUser, stranger } from '#tests/support/builders.ts'

const seenContext = createContext<string[]>()

/** Two pages behind a guard that wants one of two roles. */
const { query } = createStaticHandler([
  {
    id: 'guard',
    middleware: [requireRoles('ADMIN', 'AUDITOR') as MiddlewareFunction<unknown>],
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

type Visit = { status: number; location: string | null; seen: string[] }

/** @param rendered the status of the page that the routes come to */
async function visit(
  path: string,
  actor: Actor,
  { method = 'GET', rendered = 200 } = {},
): Promise<Visit> {
  const request = () => new Request(`http://localhost:3000${path}`, { method })
  const requestContext = new RouterContextProvider()
  const seen: string[] = []
  requestContext.set(actorContext, actor)
  requestContext.set(seenContext, seen)
  const answer = await query(request(), {
    requestContext,
    generateMiddlewareResponse: async (run) => {
      const result = await run(request())
      return result instanceof Response ? result : new Response('page', { status: rendered })
    },
  })
  if (!(answer instanceof Response)) throw new Error('no answer')
  return { status: answer.status, location: answer.headers.get('Location'), seen }
}

const personWith = (...roles: Role[]) => asPerson(aUser(anOffice(), { roles }))

test('role guard: lets a user with one of the roles pass', async () => {
  for (const role of ['ADMIN', 'AUDITOR'] as const)
    expect(await visit('/one', personWith('CLERK', role))).toEqual({
      status: 200,
      location: null,
      seen: ['/one'],
    })
})

test('role guard: redirects a user without the roles to the dashboard before any loader', async () => {
  for (const actor of [personWith('CLERK', 'NOTARY'), personWith(), stranger()])
    for (const path of ['/one', '/two'])
      expect(await visit(path, actor)).toEqual({ status: 302, location: '/dashboard', seen: [] })
})

test('a form of whoever has none of them is refused by its action, which tells the log', async () => {
  const sent = { method: 'POST', rendered: 403 }
  expect(await visit('/one', personWith('CLERK'), sent)).toMatchObject({
    status: 403,
    location: null,
    seen: ['/one form', '/one'],
  })
})

test('a page that their form would show leads to the dashboard', async () => {
  for (const rendered of [200, 303, 404, 422])
    expect(await visit('/one', personWith('CLERK'), { method: 'POST', rendered })).toMatchObject({
      status: 303,
      location: '/dashboard',
    })
})

test("a stranger's form is not read", async () => {
  expect(await visit('/one', stranger(), { method: 'POST' })).toEqual({
    status: 302,
    location: '/dashboard',
    seen: [],
  })
})
