import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { appendEvent, listLeaves, type NewEvent } from '#server/db/audit/audit-events.ts'
import { listEvents } from '#server/db/audit/event-pages.ts'
import { openEventQueue } from '#server/db/audit/event-queue.ts'
import type { Database } from '#server/db/database.ts'
import { canonicalEvent } from '#server/domain/audit/event.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import { actionsAbout } from '#server/domain/audit/topic.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { asPerson, aUser, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { BUSY_DOCUMENT, fillLog } from '#tests/support/office/filled-log.ts'
import { viewOf } from '#tests/support/office/log-events.ts'
import { aSignedDocument } from '#tests/support/pdf/signed-document.ts'

function anEvent(office: Office): NewEvent {
  const actor = asPerson(aUser(office))
  return { actor, at: MORNING, action: 'audit.viewed', subject: { kind: 'nothing' } }
}

const seqs = async (db: Database, office: Office) =>
  (await listEvents(db, { view: viewOf(office.id), limit: 1000 })).events.map(({ seq }) => seq)

onEachDatabase('the log', (current) => {
  test('ten writers in three processes leave no gap', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const processes = [db, current().again(), current().again()]
    const writers = Array.from({ length: 10 }, async (_, writer) => {
      const own = processes[writer % processes.length] ?? db
      for (let i = 0; i < 10; i++) await own.transaction((trx) => appendEvent(trx, anEvent(office)))
    })
    await Promise.all(writers)
    expect(await seqs(db, office)).toEqual(Array.from({ length: 100 }, (_, i) => 99 - i))
  })

  test('a transaction that fails leaves no gap either', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const failing = db.transaction(async (trx) => {
      await appendEvent(trx, anEvent(office))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await db.transaction((trx) => appendEvent(trx, anEvent(office)))
    expect(await seqs(db, office)).toEqual([0])
  })

  test('a leaf is the hash of the canonical bytes, and both are stored', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const recorded = await openEventQueue(db).append(anEvent(office))
    const { seq, position: _, leafHash: hash, ...event } = recorded
    expect(hash).toBe(leafHash(canonicalEvent(seq, event)))
    const { events } = await listEvents(db, { view: viewOf(office.id), limit: 1 })
    expect(events).toEqual([recorded])
  })

  test('another office does not see the event', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const other = await storedOffice(db, { number: 13 })
    await db.transaction((trx) => appendEvent(trx, anEvent(office)))
    expect(await seqs(db, other)).toEqual([])
  })

  test.each([1, 7, 1000])(
    'the last %i events about a document come oldest first',
    async (limit) => {
      const { db } = current()
      const office = await storedOffice(db)
      await fillLog(db, [await storedUser(db, office)], 2000)
      const [actions, about] = [actionsAbout('signing'), { subjectId: BUSY_DOCUMENT }]
      const isAsked = (action: string) => actions.some((one) => one === action)
      const rows = await db.selectFrom('audit_events').selectAll().orderBy('seq').execute()
      const last = rows
        .filter((row) => row.subject_id === BUSY_DOCUMENT && isAsked(row.action))
        .slice(-limit)
        .filter((row) => row.office_id === office.id)
      const asked = { actions, limit }
      const leaves = await listLeaves(db, { officeId: office.id, ...about }, asked, async () => {})
      expect(leaves.map(({ seq }) => seq)).toEqual(last.map(({ seq }) => seq))
      expect(leaves.map((leaf) => leaf.leafHash)).toEqual(last.map((row) => row.leaf_hash))
    },
  )

  test('an event with NUL in a text is not written', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const event = { ...anEvent(office), details: { reason: 'a\0b' } }
    await expect(db.transaction((trx) => appendEvent(trx, event))).rejects.toThrow('not a text')
  })

  test.each([
    ['audit_events', 'at'],
    ['document_versions', 'at'],
    ['signatures', 'signed_at'],
  ])('%s can only grow', async (table, column) => {
    const { db } = current()
    await aSignedDocument(db)
    const changes = [
      sql`update ${sql.table(table)} set ${sql.ref(column)} = 0`,
      sql`delete from ${sql.table(table)}`,
    ]
    for (const change of changes)
      await expect(db.transaction((trx) => change.execute(trx))).rejects.toThrow('append-only')
  })
})
