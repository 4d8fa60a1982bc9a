import { expect, test } from 'vitest'
import { minutes, seconds } from '#server/domain/time.ts'
import { type KeepRequest, keepRequest } from '#server/features/auth/keep-request.ts'
import { readKeptRequest, takeKeptRequest } from '#server/features/auth/take-kept-request.ts'
import { stranger } from '#tests/support/builders.ts'
import {
  anAccount,
  newSession,
  personWith,
  renewSessionOf,
} from '#tests/support/office/sessions.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const BODY = 'csrf=x&firstName=Ximena&reason=un+motivo'

const form = (changes: Partial<KeepRequest> = {}): KeepRequest => ({
  path: '/dashboard/users/new?from=list',
  contentType: 'application/x-www-form-urlencoded',
  body: new TextEncoder().encode(BODY),
  ...changes,
})

/** A user whose last proof of identity is eleven minutes old, and a kept form. */
async function aWaitingForm(system: TestSystem) {
  const account = await anAccount(system)
  const { person } = await newSession(system, account)
  system.wait(minutes(11))
  const id = await keepRequest(system, person, form())
  if (!id) throw new Error('nothing was kept')
  return { account, person, id }
}

async function proven(
  system: TestSystem,
  { sessionId }: { sessionId: Parameters<typeof renewSessionOf>[1] },
) {
  const { access } = await renewSessionOf(system, sessionId)
  return await personWith(system, access)
}

onEachSystem('kept forms', (current) => {
  test('kept form: returned unchanged, once, to the user who proved their identity', async () => {
    const system = current()
    const { person, id } = await aWaitingForm(system)
    const before = takeKeptRequest(system, person, id)
    await expect(before).rejects.toMatchObject({ code: 'step-up-needed' })

    const fresh = await proven(system, person)
    expect(await readKeptRequest(system, fresh, id)).toEqual({
      path: '/dashboard/users/new?from=list',
      state: 'waiting',
    })
    const taken = await takeKeptRequest(system, fresh, id)
    expect(taken).toMatchObject({ path: form().path, contentType: form().contentType })
    expect(new TextDecoder().decode(taken?.body)).toBe(BODY)
    expect(await takeKeptRequest(system, fresh, id)).toBeUndefined()
    expect(await readKeptRequest(system, fresh, id)).toMatchObject({ state: 'used' })
  })

  test('kept form: one of twenty requests gets it', async () => {
    const system = current()
    const { person, id } = await aWaitingForm(system)
    const fresh = await proven(system, person)
    const taken = await Promise.all(
      Array.from({ length: 20 }, () => takeKeptRequest(system, fresh, id).catch(() => undefined)),
    )
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  test('after five minutes it is gone', async () => {
    const system = current()
    const { person, id } = await aWaitingForm(system)
    system.wait(seconds(299))
    const fresh = await proven(system, person)
    expect(await readKeptRequest(system, fresh, id)).toBeDefined()
    system.wait(seconds(1))
    expect(await takeKeptRequest(system, fresh, id)).toBeUndefined()
    expect(await readKeptRequest(system, fresh, id)).toBeUndefined()
  })

  test('no other session takes it, not even of the same person', async () => {
    const system = current()
    const { account, id } = await aWaitingForm(system)
    const other = await newSession(system, account)
    expect(await takeKeptRequest(system, other.person, id)).toBeUndefined()
    expect(await readKeptRequest(system, other.person, id)).toBeUndefined()
    await expect(takeKeptRequest(system, stranger(), id)).rejects.toMatchObject({
      code: 'not-signed-in',
    })
  })

  test.each(['', 'x', '00000000-0000-4000-8000-000000000000'])('%j names none', async (id) => {
    const system = current()
    const { person } = await newSession(system, await anAccount(system))
    expect(await takeKeptRequest(system, person, id)).toBeUndefined()
    expect(await readKeptRequest(system, person, id)).toBeUndefined()
  })

  test('kept form: sealed in the database and deleted once taken', async () => {
    const system = current()
    const { person, id } = await aWaitingForm(system)
    const rows = () => system.db.selectFrom('kept_requests').selectAll().execute()
    const [row] = await rows()
    expect(Buffer.from(row?.sealed_body ?? []).toString('latin1')).not.toContain('Ximena')
    await takeKeptRequest(system, await proven(system, person), id)
    expect((await rows())[0]?.sealed_body).toHaveLength(0)
  })

  test('kept form: decrypts in its own row only', async () => {
    const system = current()
    const { person, id } = await aWaitingForm(system)
    const other = await keepRequest(system, person, form({ body: new Uint8Array(9) }))
    const { sealed_body } = await system.db
      .selectFrom('kept_requests')
      .select('sealed_body')
      .where('id', '=', other ?? '')
      .executeTakeFirstOrThrow()
    await system.db.transaction((trx) =>
      trx.updateTable('kept_requests').set({ sealed_body }).where('id', '=', id).execute(),
    )
    const taking = takeKeptRequest(system, await proven(system, person), id)
    await expect(taking).rejects.toMatchObject({ code: 'secret-unreadable' })
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'secret.unreadable',
      result: 'refused',
      subject: { kind: 'session', id: person.sessionId },
    })
  })

  test('kept forms: no more than twenty of sixty that a session sends at once', async () => {
    const system = current()
    const { person } = await newSession(system, await anAccount(system))
    const ids = await Promise.all(
      Array.from({ length: 60 }, () => keepRequest(system, person, form())),
    )
    expect(ids.filter(Boolean)).toHaveLength(20)
  })

  test('64 KB are kept, and nothing larger, nothing elsewhere, and no more than twenty', async () => {
    const system = current()
    const { person } = await newSession(system, await anAccount(system))
    const body = (bytes: number) => ({ body: new Uint8Array(bytes) })
    expect(await keepRequest(system, person, form(body(65_536)))).toBeDefined()
    expect(await keepRequest(system, person, form(body(65_537)))).toBeUndefined()
    for (const path of ['//evil.example', 'https://evil.example', 'evil', `/${'a'.repeat(2000)}`])
      expect(await keepRequest(system, person, form({ path }))).toBeUndefined()
    for (let i = 1; i < 20; i++) await keepRequest(system, person, form())
    expect(await keepRequest(system, person, form())).toBeUndefined()
    system.wait(minutes(5))
    expect(await keepRequest(system, person, form())).toBeDefined()
    const left = await system.db.selectFrom('kept_requests').select('id').execute()
    expect(left).toHaveLength(1)
  })
})
