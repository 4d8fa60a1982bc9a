import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import type { FormEntries } from '#app/http/body.ts'
import { actorContext, entriesContext, systemContext } from '#app/http/context.ts'
import {
  forwardToForm,
  orStepUpPage,
  refusalOrStepUp,
  replayContext,
  replayKept,
  requirePending,
  requireRecentProof,
} from '#app/http/step-up.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import { hours, minutes } from '#server/domain/time.ts'
import type { TakenRequest } from '#server/features/auth/take-kept-request.ts'
import { stranger } from '#tests/support/builders.ts'
import { anAccount, newSession, renewSessionOf } from '#tests/support/office/sessions.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const PAGE = '/dashboard/users/new?role=CLERK'

function argsOf(system: TestSystem, person: Person, entries?: FormEntries, method = 'POST') {
  const context = new RouterContextProvider()
  context.set(systemContext, system)
  context.set(actorContext, person)
  if (entries) context.set(entriesContext, entries)
  const url = new URL(PAGE, system.settings.publicOrigin)
  return { request: new Request(url, { method }), context, url }
}

async function aSession(system: TestSystem) {
  const { person, session } = await newSession(system, await anAccount(system))
  return { person, sessionId: session.id }
}

const refused = (code: ProblemCode) => Promise.reject(new Problem(code, 'a test'))

/** The address to which a thrown response leads. */
async function addressFrom(work: Promise<unknown> | (() => unknown)): Promise<string | null> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    if (error instanceof Response) return error.headers.get('Location')
    throw error
  }
  throw new Error('nothing was thrown')
}

const KEPT = /^\/step-up\/([0-9a-f-]{36})$/
const RETURN = `/step-up?returnUrl=${encodeURIComponent(PAGE)}`
const FIELDS: FormEntries = [
  ['name', 'Ana Núñez'],
  ['role', 'CLERK'],
]

onEachSystem('step-up', (current) => {
  async function aKeptForm() {
    const system = current()
    const { person, sessionId } = await aSession(system)
    const args = argsOf(system, person, FIELDS)
    const address = await addressFrom(orStepUpPage(args, refused('step-up-needed')))
    const id = KEPT.exec(address ?? '')?.[1] ?? 'none'
    const context = args.context as RouterContextProvider
    return { system, person, sessionId, id, args: { ...args, context } }
  }

  /** Proves who they are and replays the form; records what was sent again. */
  async function replayed({ system, sessionId, id, args }: Awaited<ReturnType<typeof aKeptForm>>) {
    const sent: TakenRequest[] = []
    args.context.set(replayContext, async (kept) => {
      sent.push(kept)
      return new Response('page')
    })
    const answer = await replayKept(args, id, await renewSessionOf(system, sessionId))
    return { sent, answer }
  }

  test('form: is kept, and sent again after the proof, once', async () => {
    const kept = await aKeptForm()
    kept.system.wait(minutes(1))
    const { sent, answer } = await replayed(kept)
    expect(sent.map(({ path, body }) => [path, Buffer.from(body).toString()])).toEqual([
      [PAGE, 'name=Ana+N%C3%BA%C3%B1ez&role=CLERK'],
    ])
    expect(answer.headers.get('Location')).toBe(PAGE)
    expect(answer.headers.getSetCookie().length).toBeGreaterThan(0)
    expect((await replayed(kept)).sent).toEqual([])
  })

  test('form that waited too long: is not sent again; the new session and a message stay', async () => {
    const kept = await aKeptForm()
    kept.system.wait(minutes(6))
    const { sent, answer } = await replayed(kept)
    expect(sent).toEqual([])
    expect(answer.headers.get('Location')).toBe('/dashboard')
    expect(answer.headers.getSetCookie().join()).toContain('not-confirmed-in-time')
  })

  test.each<[string, FormEntries | undefined, string]>([
    ['with a password', [...FIELDS, ['password', 'secreto']], 'POST'],
    ['with a file', [...FIELDS, ['key', { name: 'e.key', bytes: new Uint8Array(3) }]], 'POST'],
    ['that was not read', undefined, 'POST'],
    ['that is a page', FIELDS, 'GET'],
  ])('form %s: is not kept; its page is asked for again', async (_, entries, method) => {
    const system = current()
    const { person } = await aSession(system)
    const args = argsOf(system, person, entries, method)
    expect(await addressFrom(orStepUpPage(args, refused('step-up-needed')))).toBe(RETURN)
  })

  test('form on its own page: another refusal is for the page, a missing proof is not', async () => {
    const system = current()
    const { person } = await aSession(system)
    const args = argsOf(system, person, FIELDS)
    expect(await refusalOrStepUp(args, refused('wrong-state'))).toMatchObject({
      ok: false,
      code: 'wrong-state',
    })
    const address = await addressFrom(refusalOrStepUp(args, refused('step-up-needed')))
    expect(address).toMatch(KEPT)
  })

  test('page of a form that cannot be kept: asks for a proof unless the last is recent', async () => {
    const system = current()
    const { person } = await aSession(system)
    const args = argsOf(system, person)
    expect(() => requireRecentProof(args)).not.toThrow()
    system.wait(hours(1))
    expect(await addressFrom(() => requireRecentProof(args))).toBe(RETURN)
  })

  test('page of a form that cannot be kept: of a stranger is refused', async () => {
    const system = current()
    const { person } = await aSession(system)
    const args = argsOf(system, person)
    args.context.set(actorContext, stranger())
    expect(() => requireRecentProof(args)).toThrow(
      expect.objectContaining({ code: 'not-signed-in' }),
    )
  })

  test('page of the proof: leads on once the form was sent again or has expired', async () => {
    const kept = await aKeptForm()
    await expect(requirePending(kept.args, kept.id)).resolves.toBeUndefined()
    expect(await forwardToForm(kept.args, kept.id, false)).toBeUndefined()
    await replayed(kept)
    expect(await addressFrom(requirePending(kept.args, kept.id))).toBe(PAGE)
    kept.system.wait(minutes(6))
    const late = await requirePending(kept.args, kept.id).catch((answer: unknown) => answer)
    if (!(late instanceof Response)) throw new Error('no redirect')
    expect(late.headers.get('Location')).toBe('/dashboard')
    expect(late.headers.getSetCookie()[0]).toMatch(/^__Host-flash=not-confirmed-in-time;/)
  })

  test('form on the page that stands at the address of the proof: goes to its own page, a second proof does not', async () => {
    const kept = await aKeptForm()
    await replayed(kept)
    const form = await forwardToForm(kept.args, kept.id, false)
    expect([form?.status, form?.headers.get('Location')]).toEqual([307, PAGE])
    const proof = await forwardToForm(kept.args, kept.id, true)
    expect([proof?.status, proof?.headers.get('Location')]).toEqual([303, PAGE])
  })
})
