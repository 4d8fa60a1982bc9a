import { expect, test } from 'vitest'
import { replaceArchive } from '#server/db/documents/archives.ts'
import { insertDocument, replaceDocument } from '#server/db/documents/documents.ts'
import { replaceOffice } from '#server/db/people/offices.ts'
import { type Archive, awaitedArchive } from '#server/domain/documents/archive.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { AlertId } from '#server/domain/ids.ts'
import { after, type Duration, days, hours, type Instant } from '#server/domain/time.ts'
import { resolveAlert } from '#server/features/alerts/resolve-alert.ts'
import { watchProofs } from '#server/features/archives/watch-proofs.ts'
import { sentenceOfAlert } from '#server/words/alerts.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/** An office that uses timestamps, and what adds signed documents to it whose newest timestamp holds so long. */
async function anOffice(system: TestSystem, number = 1) {
  const office = await storedOffice(system.db, { number, timestampPolicy: 'later' })
  const author = await storedUser(system.db, office, ['ADMIN'])
  let folio = 0
  async function document(lasts: Duration, changes: Partial<Archive> = {}): Promise<Document> {
    folio += 1
    const made = aDocument(author, {
      state: 'signed',
      folio: `2026-${String(folio).padStart(6, '0')}`,
    })
    const kept = { state: 'kept', holdsUntil: after(MORNING, lasts) } as const
    await system.db.transaction(async (trx) => {
      await insertDocument(trx, made)
      await replaceArchive(trx, { ...awaitedArchive(made, MORNING), ...kept, ...changes })
    })
    return made
  }
  return { office, document }
}

const renew = ({ db, clock }: TestSystem, document: Document, holdsUntil: Instant) =>
  db.transaction((trx) =>
    replaceArchive(trx, {
      ...awaitedArchive(document, clock.now()),
      ...{ state: 'kept', holdsUntil },
    }),
  )

const alerts = async ({ db }: TestSystem, { id }: Office) =>
  (
    await db
      .selectFrom('alerts')
      .select(['kind', 'state', 'facts', 'user_id', 'severity'])
      .where('office_id', '=', id)
      .orderBy('at')
      .execute()
  ).map(({ facts, ...alert }) => ({ ...alert, facts: JSON.parse(facts) }))

onEachSystem('overdue long-term proofs', (current) => {
  test('proof that is not renewed 45 days before it ends: the administrators are told once, with the number and the first day', async () => {
    const system = current()
    const { office, document } = await anOffice(system)
    await document(days(400))
    await document(days(401))
    await document(days(500))
    system.wait(days(354))
    await watchProofs(system)
    expect(await alerts(system, office)).toEqual([])
    system.wait(days(3))
    await watchProofs(system)
    system.wait(hours(1))
    await watchProofs(system)
    const [alert, ...more] = await alerts(system, office)
    expect(more).toEqual([])
    expect(alert).toEqual({
      ...{ kind: 'proofs-overdue', state: 'open', user_id: null, severity: 'danger' },
      facts: { count: 2, on: '25 dic 2027' },
    })
    expect(await system.db.selectFrom('outbox').selectAll().execute()).toHaveLength(1)
  })

  test('alert that a person resolves while proofs are overdue: comes back with a mail after a day, not at the next look', async () => {
    const system = current()
    const { office, document } = await anOffice(system)
    const admin = await storedUser(system.db, office, ['ADMIN'])
    await document(days(400))
    system.wait(days(357))
    await watchProofs(system)
    const [raised] = await system.db.selectFrom('alerts').select('id').execute()
    const alertId = AlertId.parse(raised?.id)
    await resolveAlert(system, asPerson(admin), { alertId })
    const mails = async () => (await system.db.selectFrom('outbox').select('id').execute()).length
    const mailed = await mails()
    system.wait(hours(23))
    await watchProofs(system)
    expect((await alerts(system, office)).map(({ state }) => state)).toEqual(['resolved'])
    expect(await mails()).toBe(mailed)
    system.wait(hours(2))
    await watchProofs(system)
    expect((await alerts(system, office)).map(({ state }) => state)).toEqual(['resolved', 'open'])
    expect(await mails()).toBeGreaterThan(mailed)
  })

  test('alert: has the number of today, and no second mail', async () => {
    const system = current()
    const { office, document } = await anOffice(system)
    await document(days(400))
    await document(days(410))
    system.wait(days(356))
    await watchProofs(system)
    system.wait(days(30))
    await watchProofs(system)
    expect(await alerts(system, office)).toMatchObject([{ state: 'open', facts: { count: 2 } }])
    expect(await system.db.selectFrom('outbox').selectAll().execute()).toHaveLength(1)
  })

  test('alert: resolved when all are renewed, and there is another one the next time', async () => {
    const system = current()
    const { office, document } = await anOffice(system)
    const one = await document(days(400))
    system.wait(days(356))
    await watchProofs(system)
    await renew(system, one, after(system.clock.now(), days(400)))
    await watchProofs(system)
    expect(await alerts(system, office)).toMatchObject([{ state: 'resolved' }])
    system.wait(days(356))
    await watchProofs(system)
    expect((await alerts(system, office)).map(({ state }) => state)).toEqual(['resolved', 'open'])
  })

  test('timestamp of twenty days: is overdue five days before it ends', async () => {
    const system = current()
    const { office, document } = await anOffice(system)
    await document(days(20))
    system.wait(days(14))
    await watchProofs(system)
    expect(await alerts(system, office)).toEqual([])
    system.wait(days(1))
    await watchProofs(system)
    expect(await alerts(system, office)).toHaveLength(1)
  })

  test('renewal that failed again and again: is overdue, although its next attempt is later', async () => {
    const system = current()
    const { office, document } = await anOffice(system)
    await document(days(400), { attempts: 40, dueAt: after(MORNING, days(357)) })
    system.wait(days(356))
    await watchProofs(system)
    expect(await alerts(system, office)).toHaveLength(1)
  })

  test('first timestamp whose proof is never completed: is overdue, too', async () => {
    const system = current()
    const { office, document } = await anOffice(system)
    await document(days(400), { state: 'waiting' })
    system.wait(days(356))
    await watchProofs(system)
    expect(await alerts(system, office)).toHaveLength(1)
  })

  test('document without a timestamp, cancelled document, office without timestamps: not told', async () => {
    const system = current()
    const { office, document } = await anOffice(system)
    await document(days(400), { holdsUntil: null })
    const cancelled = await document(days(400))
    await system.db.transaction((trx) =>
      replaceDocument(trx, cancelled, { ...cancelled, state: 'cancelled' }),
    )
    const other = await anOffice(system, 2)
    await other.document(days(400))
    const { office: without } = other
    await system.db.transaction((trx) =>
      replaceOffice(trx, { ...without, timestampPolicy: 'none' }),
    )
    system.wait(days(399))
    await watchProofs(system)
    expect(await alerts(system, office)).toEqual([])
    expect(await alerts(system, without)).toEqual([])
  })

  test('two offices: each is told of its own documents', async () => {
    const system = current()
    const first = await anOffice(system, 1)
    const second = await anOffice(system, 2)
    await first.document(days(400))
    for (const lasts of [390, 391, 392]) await second.document(days(lasts))
    system.wait(days(356))
    await watchProofs(system)
    expect(await alerts(system, first.office)).toMatchObject([{ facts: { count: 1 } }])
    expect(await alerts(system, second.office)).toMatchObject([{ facts: { count: 3 } }])
  })
})

test.each([
  [{ count: 1, on: '3 dic 2026' }, 'de un documento no se ha podido renovar y se pierde el 3 dic'],
  [{ count: 2500, on: '3 dic 2026' }, 'de 2,500 documentos no se ha podido renovar; la primera'],
])('alert with %j: %s', (facts, part) => {
  const alert = { kind: 'proofs-overdue', facts, userId: null, about: null } as const
  expect(sentenceOfAlert(alert).text).toContain(part)
})
