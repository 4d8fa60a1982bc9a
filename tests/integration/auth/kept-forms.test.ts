import { expect, test } from 'vitest'
import { MOST_KEPT_FORMS } from '#server/domain/identity/kept-form.ts'
import { minutes, seconds } from '#server/domain/time.ts'
import { findEndedSession } from '#server/features/auth/find-ended-session.ts'
import { keepForm } from '#server/features/auth/keep-form.ts'
import { takeKeptForm } from '#server/features/auth/take-kept-form.ts'
import { readKeptRequest, takeKeptRequest } from '#server/features/auth/take-kept-request.ts'
import { stranger } from '#tests/support/builders.ts'
import { anAccount, newSession } from '#tests/support/office/sessions.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const PATH = '/dashboard/users/new'
const FIELDS: [string, string][] = [
  ['firstName', 'Ximena'],
  ['role', 'CLERK'],
  ['role', 'LAWYER'],
]

/** A form that came with the tokens of this session. */
async function aKeptForm(
  system: TestSystem,
  entries: [string, unknown][] = FIELDS,
  office: Parameters<typeof anAccount>[1] = {},
) {
  const account = await anAccount(system, office)
  const { tokens } = await newSession(system, account)
  const session = await findEndedSession(system, tokens)
  if (!session) throw new Error('the token names no session')
  const id = await keepForm(system, session, { path: PATH, entries })
  return { account, session, id: id ?? '' }
}

onEachSystem('forms kept until the next sign-in', (current) => {
  test('kept form: shown once, to its user, in any later session', async () => {
    const system = current()
    const { account, id } = await aKeptForm(system)
    const { person } = await newSession(system, account)
    const kept = { path: PATH, fields: FIELDS, isPartial: false }
    expect(await takeKeptForm(system, person, id)).toEqual(kept)
    expect(await takeKeptForm(system, person, id)).toBeUndefined()
  })

  test('kept form: one of twenty requests gets it', async () => {
    const system = current()
    const { account, id } = await aKeptForm(system)
    const { person } = await newSession(system, account)
    const taken = await Promise.all(
      Array.from({ length: 20 }, () => takeKeptForm(system, person, id)),
    )
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  test('kept form: another user and a stranger get nothing, and it stays for its own', async () => {
    const system = current()
    const { account, id } = await aKeptForm(system)
    const other = await newSession(system, await anAccount(system, { number: 77 }))
    expect(await takeKeptForm(system, other.person, id)).toBeUndefined()
    expect(await takeKeptForm(system, stranger(), id)).toBeUndefined()
    const { person } = await newSession(system, account)
    expect(await takeKeptForm(system, person, id)).toBeDefined()
  })

  test('kept form: is never replayed by a step-up', async () => {
    const system = current()
    const { account, id } = await aKeptForm(system)
    const { person } = await newSession(system, account)
    expect(await readKeptRequest(system, person, id)).toBeUndefined()
    expect(await takeKeptRequest(system, person, id)).toBeUndefined()
  })

  test('kept form: gone after an hour', async () => {
    const system = current()
    const { account, id } = await aKeptForm(system)
    system.wait(minutes(60))
    const { person } = await newSession(system, account)
    expect(await takeKeptForm(system, person, id)).toBeUndefined()
    const later = await aKeptForm(system, FIELDS, { number: 77 })
    system.wait(seconds(3599))
    const again = await newSession(system, later.account)
    expect(await takeKeptForm(system, again.person, later.id)).toBeDefined()
  })

  test('kept form: sealed in the database, without passwords, codes, keys and files, and erased once shown', async () => {
    const system = current()
    const secrets: [string, unknown][] = [
      ['csrf', 'de-la-página'],
      ['currentPassword', 'tortuga verde'],
      ['pin', '123456'],
      ['code', '654321'],
      ['response', '{}'],
      ['privateKey', { name: 'clave.key', bytes: new Uint8Array(9) }],
      ['file', { name: 'escritura.pdf', bytes: new Uint8Array(9) }],
    ]
    const { account, id } = await aKeptForm(system, [...secrets, ['reason', 'Ximena lo pidió']])
    const rows = () => system.db.selectFrom('kept_requests').selectAll().execute()
    const [row] = await rows()
    expect(Buffer.from(row?.sealed_body ?? []).toString('latin1')).not.toContain('Ximena')
    const { person } = await newSession(system, account)
    expect(await takeKeptForm(system, person, id)).toEqual({
      path: PATH,
      fields: [['reason', 'Ximena lo pidió']],
      isPartial: true,
    })
    expect((await rows())[0]?.sealed_body).toHaveLength(0)
  })

  test('kept form: none with secrets alone, none larger than 64 KB, none of another site', async () => {
    const system = current()
    const { session } = await aKeptForm(system)
    const keep = (path: string, entries: [string, unknown][]) =>
      keepForm(system, session, { path, entries })
    expect(await keep(PATH, [['password', 'tortuga']])).toBeUndefined()
    expect(await keep(PATH, [['message', 'x'.repeat(65_536)]])).toBeUndefined()
    expect(await keep(PATH, [['message', 'x'.repeat(65_000)]])).toBeDefined()
    for (const path of [
      '',
      '//evil.example',
      'https://evil.example',
      '/a?b',
      `/${'a'.repeat(2000)}`,
    ])
      expect(await keep(path, FIELDS)).toBeUndefined()
  })

  test('kept forms: twenty of a user at most, also if they come at once', async () => {
    const system = current()
    const { session } = await aKeptForm(system)
    const kept = await Promise.all(
      Array.from({ length: 30 }, () => keepForm(system, session, { path: PATH, entries: FIELDS })),
    )
    expect(kept.filter(Boolean)).toHaveLength(MOST_KEPT_FORMS - 1)
    system.wait(minutes(60))
    expect(await keepForm(system, session, { path: PATH, entries: FIELDS })).toBeDefined()
    expect(await system.db.selectFrom('kept_requests').select('id').execute()).toHaveLength(1)
  })

  test('ended session: found by each of its tokens, also long after its end, and by no other', async () => {
    const system = current()
    const { tokens, session, person } = await newSession(system, await anAccount(system))
    const own = { sessionId: session.id, userId: person.userId }
    system.wait(minutes(60 * 20))
    const { access, refresh } = tokens
    expect(await findEndedSession(system, { access, refresh: undefined })).toEqual(own)
    expect(await findEndedSession(system, { access: undefined, refresh })).toEqual(own)
    for (const forged of ['', 'x', 'A'.repeat(43)])
      expect(await findEndedSession(system, { access: forged, refresh: forged })).toBeUndefined()
  })
})
