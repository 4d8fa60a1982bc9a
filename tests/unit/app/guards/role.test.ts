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
    })),
  },
])

async function visit(
  path: string,
  actor: Actor,
): Promise<{ location: string | null; seen: string[] }> {
  const requestContext = new RouterContextProvider()
  const seen: string[] = []
  requestContext.set(actorContext, actor)
  requestContext.set(seenContext, seen)
  const answer = await query(new Request(`http://localhost:3000${path}`), {
    requestContext,
    generateMiddlewareResponse: async (run) => {
      const result = await run(new Request(`http://localhost:3000${path}`))
      return result instanceof Response ? result : new Response('page')
    },
  })
  if (!(answer instanceof Response)) throw new Error('no answer')
  return { location: answer.headers.get('Location'), seen }
}

const personWith = (...roles: Role[]) => asPerson(aUser(anOffice(), { roles }))

test('role guard: lets a user with one of the roles pass', async () => {
  for (const role of ['ADMIN', 'AUDITOR'] as const)
    expect(await visit('/one', personWith('CLERK', role))).toEqual({
      location: null,
      seen: ['/one'],
    })
})

test('role guard: redirects a user without the roles to the dashboard before any loader', async () => {
  for (const actor of [personWith('CLERK', 'NOTARY'), personWith(), stranger()])
    for (const path of ['/one', '/two'])
      expect(await visit(path, actor)).toEqual({ location: '/dashboard', seen: [] })
})
