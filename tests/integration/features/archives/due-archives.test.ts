import { expect, test } from 'vitest'
import {
  awaitArchive,
  findArchive,
  listArchivesToRenew,
  listUnarchived,
  replaceArchive,
} from '#server/db/documents/archives.ts'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertDocument, replaceDocument } from '#server/db/documents/documents.ts'
import { replaceOffice } from '#server/db/people/offices.ts'
import { type Archive, awaitedArchive } from '#server/domain/documents/archive.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { after, days, type Instant, minutes, seconds } from '#server/domain/time.ts'
import { archiveWaiting } from '#server/features/archives/archive-waiting.ts'
import { renewArchives } from '#server/features/archives/renew-archives.ts'
import { askingAt } from '#tests/support/authorities/timestamp-providers.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aDocument, aSignedDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const SLOW = ['https://sellos.example']

/** A complete document that waits for its proof, in an office of its own with this number. */
async function anAwaited(system: TestSystem, number = 1, at = system.clock.now()) {
  const made = await aSignedDocument(system.db, { number })
  await system.db.transaction((trx) => awaitArchive(trx, awaitedArchive(made.document, at)))
  return made
}

const unarchived = ({ db, clock }: TestSystem, limit = 50) =>
  listUnarchived(db, { now: clock.now(), limit })

type Changes = { state?: string; dueAt?: Instant; isWhole?: boolean }

/** So many documents whose proof is to be renewed, in an office of its own with this number. */
const renewable = (system: TestSystem, number: number, count: number, changes: Changes = {}) =>
  due(system, number, count, { ...changes, proof: { holdsUntil: after(MORNING, days(90)) } })

/** So many documents that wait for their first proof. */
const waiting = (system: TestSystem, number: number, count: number, changes: Changes = {}) =>
  due(system, number, count, { ...changes, proof: { state: 'waiting' } })

/** In signing sessions, if not said otherwise: a job puts them off, and reads no file. */
async function due(
  system: TestSystem,
  number: number,
  count: number,
  {
    state = 'signing',
    dueAt = MORNING,
    isWhole = true,
    proof,
  }: Changes & { proof: Partial<Archive> },
): Promise<DocumentId[]> {
  const office = await storedOffice(system.db, { number })
  const author = await storedUser(system.db, office)
  await askingAt(system, { office }, SLOW)
  const documents = Array.from({ length: count }, (_, place) =>
    aDocument(author, { state, folio: `2026-${String(place + 1).padStart(6, '0')}` }),
  )
  await system.db.transaction(async (trx) => {
    for (const document of documents) {
      await insertDocument(trx, document)
      if (isWhole) await insertVersion(trx, aVersion(document))
      const awaited = awaitedArchive(document, MORNING)
      await replaceArchive(trx, { ...awaited, state: 'kept', dueAt, ...proof })
    }
  })
  return documents.map(({ id }) => id)
}

const toRenew = ({ db, clock }: TestSystem, limit = 1000) =>
  listArchivesToRenew(db, { now: clock.now(), limit })

onEachSystem('documents due for their archive proof', (current) => {
  test('complete document: due after five minutes', async () => {
    const system = current()
    const { office, document } = await anAwaited(system)
    await askingAt(system, { office }, SLOW)
    system.wait(minutes(5))
    expect(await unarchived(system)).toEqual([document.id])
    const early = { now: after(MORNING, seconds(299)), limit: 50 }
    expect(await listUnarchived(system.db, early)).toEqual([])
  })

  test('office without timestamps: its documents do not come before those of another', async () => {
    const system = current()
    for (const number of [1, 2, 3]) await anAwaited(system, number)
    system.wait(minutes(1))
    const { office, document } = await anAwaited(system, 4)
    await askingAt(system, { office }, SLOW)
    system.wait(minutes(5))
    expect(await unarchived(system, 2)).toEqual([document.id])
  })

  test('policy or provider added later: documents that waited are due at once', async () => {
    const system = current()
    const { office, document } = await anAwaited(system)
    system.wait(minutes(5))
    expect(await unarchived(system)).toEqual([])
    await askingAt(system, { office }, SLOW, 'none')
    expect(await unarchived(system)).toEqual([])
    await system.db.transaction((trx) =>
      replaceOffice(trx, { ...office, timestampPolicy: 'later' }),
    )
    expect(await unarchived(system)).toEqual([document.id])
  })

  test('several offices: the longest waiting first, at most as many as asked', async () => {
    const system = current()
    const ids: string[] = []
    for (const number of [1, 2, 3]) {
      const at = after(MORNING, minutes(3 - number))
      const { office, document } = await anAwaited(system, number, at)
      await askingAt(system, { office }, SLOW)
      ids.unshift(document.id)
    }
    system.wait(minutes(60))
    expect(await unarchived(system)).toEqual(ids)
    expect(await unarchived(system, 2)).toEqual(ids.slice(0, 2))
  })

  test('renewal: a run goes through all that are due, not only the first fifty', async () => {
    const system = current()
    await renewable(system, 1, 120)
    expect(await toRenew(system)).toHaveLength(120)
    // In signing sessions: they are put off, and no authority is asked.
    expect(await renewArchives(system)).toBe(0)
    expect(await toRenew(system)).toEqual([])
  })

  test('renewal: ends when a whole page fails, and the next run does not try the same ones first', async () => {
    const system = current()
    await renewable(system, 1, 60, { isWhole: false })
    await expect(renewArchives(system)).rejects.toThrow('has no version')
    expect(await toRenew(system)).toHaveLength(10)
    await expect(renewArchives(system)).rejects.toThrow('has no version')
    expect(await toRenew(system)).toEqual([])
    system.wait(minutes(10))
    expect(await toRenew(system)).toHaveLength(60)
  })

  test('renewal: no document is begun after the process is told to stop', async () => {
    const system = current()
    await renewable(system, 1, 60)
    expect(await renewArchives(system, AbortSignal.abort())).toBe(0)
    expect(await toRenew(system)).toHaveLength(60)
  })

  test('waiting: a run goes through all, not only the first fifty', async () => {
    const system = current()
    await waiting(system, 1, 120)
    expect(await unarchived(system, 1000)).toHaveLength(120)
    expect(await archiveWaiting(system)).toBe(0)
    expect(await unarchived(system, 1000)).toEqual([])
  })

  test('waiting: a document of another office that becomes due meanwhile has its turn in the same run', async () => {
    const system = current()
    await waiting(system, 1, 120)
    const [fresh] = await waiting(system, 2, 1, { dueAt: after(MORNING, seconds(30)) })
    const [last] = await waiting(system, 3, 1, { dueAt: after(MORNING, days(1)) })
    const passing: TestSystem = {
      ...system,
      clock: {
        now: () => {
          system.wait(seconds(1))
          return system.clock.now()
        },
      },
    }
    await archiveWaiting(passing)
    const dueAt = async (id = fresh) => (await findArchive(system.db, id!))?.dueAt
    expect(await dueAt()).toBeGreaterThan(system.clock.now())
    expect(await dueAt(last)).toBe(after(MORNING, days(1)))
  })

  test('waiting: ends when a whole page fails, and the next run does not try the same ones first', async () => {
    const system = current()
    await waiting(system, 1, 60, { isWhole: false })
    await expect(archiveWaiting(system)).rejects.toThrow('has no version')
    expect(await unarchived(system)).toHaveLength(10)
    await expect(archiveWaiting(system)).rejects.toThrow('has no version')
    expect(await unarchived(system)).toEqual([])
  })

  test('waiting: no document is begun after the process is told to stop', async () => {
    const system = current()
    await waiting(system, 1, 60)
    const stopping = new AbortController()
    const ending: TestSystem = {
      ...system,
      clock: {
        now: () => {
          stopping.abort()
          return system.clock.now()
        },
      },
    }
    expect(await archiveWaiting(ending, stopping.signal)).toBe(0)
    expect(await unarchived(system, 1000)).toHaveLength(60)
  })

  test('several offices: have their turns, however many documents of one are due longer', async () => {
    const system = current()
    const many = await renewable(system, 1, 3)
    const few = await renewable(system, 2, 1, { dueAt: after(MORNING, minutes(1)) })
    system.wait(minutes(1))
    const [first, second, ...others] = await toRenew(system)
    expect(many).toContain(first)
    expect(few).toEqual([second])
    expect(others).toHaveLength(2)
    expect(await toRenew(system, 2)).toEqual([first, second])
  })

  test('document in a signing session: put off, and due again when the session is over', async () => {
    const system = current()
    const { office, document } = await anAwaited(system)
    await askingAt(system, { office }, SLOW)
    const signing: Document = { ...document, state: 'signing' }
    await system.db.transaction((trx) => replaceDocument(trx, document, signing))
    system.wait(minutes(5))
    expect(await archiveWaiting(system)).toBe(0)
    expect(await unarchived(system)).toEqual([])
    await system.db.transaction((trx) => replaceDocument(trx, signing, document))
    system.wait(minutes(10))
    expect(await unarchived(system)).toEqual([document.id])
  })

  test('version that has its proof: does not wait again; a further signature does', async () => {
    const system = current()
    const { office, document } = await anAwaited(system)
    await askingAt(system, { office }, SLOW)
    const kept: Archive = {
      ...awaitedArchive(document, MORNING),
      state: 'kept',
      dueAt: after(MORNING, days(1)),
      holdsUntil: after(MORNING, days(2)),
    }
    await system.db.transaction((trx) => replaceArchive(trx, kept))
    const waitAgain = (version: number) =>
      system.db.transaction((trx) =>
        awaitArchive(trx, awaitedArchive({ ...document, version }, system.clock.now())),
      )
    await waitAgain(document.version)
    expect(await findArchive(system.db, document.id)).toEqual(kept)
    const renewable = { now: after(MORNING, days(1)), limit: 50 }
    expect(await listArchivesToRenew(system.db, renewable)).toEqual([document.id])
    await waitAgain(document.version + 1)
    expect(await findArchive(system.db, document.id)).toMatchObject({
      ...{ state: 'waiting', version: document.version + 1, holdsUntil: kept.holdsUntil },
    })
    expect(await listArchivesToRenew(system.db, renewable)).toEqual([])
  })
})
