import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { listIssuedCopies } from '#server/db/documents/issued-copies.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { IssuedCopy } from '#server/domain/documents/copies/issued-copy.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { hours, minutes } from '#server/domain/time.ts'
import { CancelCopy, cancelCopy, readCancellableCopy } from '#server/features/copies/cancel-copy.ts'
import { ListCopies, listCopies } from '#server/features/copies/list-copies.ts'
import { readCopyForecast, recordCopy } from '#server/features/copies/record-copy.ts'
import { plainSentence } from '#server/words/audit/audit-sentences.ts'
import { asPerson, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { aCopy } from '#tests/support/office/copies.ts'
import { outcomeOf } from '#tests/support/office/office-staff.ts'
import {
  aDraft,
  aScene,
  onEachSigningSystem,
  readyTrust,
  signAs,
} from '#tests/support/office/signing-system.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

beforeAll(readyTrust)

const REASON = 'Se escribió otro nombre'

/** A signed document, and a member of the office for each role. */
async function aSignedDocument(system: TestSystem) {
  const { office, person: notary, efirma, document } = await aScene(system)
  await signAs(system, notary, efirma, document)
  const personOf = async (role: Person['roles'][number]) =>
    asPerson(await storedUser(system.db, office, [role]))
  return { notary, document, personOf, clerk: await personOf('CLERK') }
}

const cancel = (system: TestSystem, actor: Person, { id, documentId }: IssuedCopy) =>
  cancelCopy(system, actor, CancelCopy.parse({ documentId, copyId: id, reason: REASON }))

const ordinalsOf = async (system: TestSystem, documentId: IssuedCopy['documentId']) =>
  (await listIssuedCopies(system.db, { documentId, limit: 100 })).map(
    ({ kind, ordinal }) => `${kind} ${ordinal}`,
  )

onEachSigningSystem('copies issued of a document', (system) => {
  test('are recorded with what was written, and the log names document and ordinal, not the recipient', async () => {
    const { clerk, document } = await aSignedDocument(system())
    const input = aCopy(document.id)
    const copy = await recordCopy(system(), clerk, input)
    const { once: _, ...facts } = input
    expect(copy).toEqual({
      ...{ ...facts, id: copy.id, version: 2, at: system().clock.now(), by: clerk.userId },
      cancelled: null,
    })
    expect((await listIssuedCopies(system().db, { documentId: document.id, limit: 9 }))[0]).toEqual(
      copy,
    )
    const event = (await system().log()).at(-1)
    expect(event).toMatchObject({
      action: 'document.copy-recorded',
      subject: { kind: 'document', id: document.id },
      details: { kind: 'testimony', ordinal: 1, extent: 'whole', medium: 'paper', sheets: 12 },
    })
    expect(JSON.stringify(event)).not.toContain('Hilda')
    const about = { kind: 'document', id: document.id, name: `${document.folio} “Poder”` } as const
    expect(plainSentence({ ...event!, about })).toContain(
      `registró la expedición del primer testimonio del documento ${document.folio}`,
    )
  })

  test('have ordinals of their own for each kind, and a cancelled one is not used again', async () => {
    const { clerk, document } = await aSignedDocument(system())
    const record = (changes: Parameters<typeof aCopy>[1]) =>
      recordCopy(system(), clerk, aCopy(document.id, changes))
    await record({ ordinal: 1 })
    system().wait(minutes(1))
    const second = await record({ ordinal: 2 })
    system().wait(minutes(1))
    await record({ kind: 'certified-copy', ordinal: 1 })
    await cancel(system(), clerk, second)
    const { next } = await readCopyForecast(system(), clerk, { documentId: document.id })
    expect(next).toEqual({
      ...{ testimony: 3, 'certified-copy': 2, 'simple-copy': 1, certification: 1 },
    })
    expect(await ordinalsOf(system(), document.id)).toEqual([
      'certified-copy 1',
      'testimony 2',
      'testimony 1',
    ])
  })

  test('twenty forms with the same ordinal at once: one is recorded, the others are refused', async () => {
    const { clerk, document } = await aSignedDocument(system())
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => outcomeOf(recordCopy(system(), clerk, aCopy(document.id)))),
    )
    expect(outcomes.toSorted()).toEqual([
      ...Array.from({ length: 19 }, () => 'copy-ordinal-taken'),
      'done',
    ])
    expect(await ordinalsOf(system(), document.id)).toEqual(['testimony 1'])
  })

  test('one form sent five times at once records one copy, with one event', async () => {
    const { clerk, document } = await aSignedDocument(system())
    const input = aCopy(document.id, { once: randomUUID() })
    const copies = await Promise.all([1, 2, 3, 4, 5].map(() => recordCopy(system(), clerk, input)))
    expect(new Set(copies.map(({ id }) => id)).size).toBe(1)
    const events = (await system().log()).filter(
      ({ action }) => action === 'document.copy-recorded',
    )
    expect(events).toHaveLength(1)
  })

  test('are refused for a draft, a day that has not come, and an ordinal that is taken or skipped', async () => {
    const { clerk, document } = await aSignedDocument(system())
    const draft = await aDraft(system(), clerk)
    const record = (actor: Person, documentId: string, changes = {}) =>
      outcomeOf(recordCopy(system(), actor, aCopy(documentId, changes)))
    expect(await record(clerk, draft.id)).toBe('nothing-to-copy')
    expect(await outcomeOf(readCopyForecast(system(), clerk, { documentId: draft.id }))).toBe(
      'nothing-to-copy',
    )
    expect(await record(clerk, document.id, { issuedOn: '2026-11-21' })).toBe('copy-day-ahead')
    expect(await record(clerk, document.id, { ordinal: 2 })).toBe('copy-ordinal-taken')
    expect(await ordinalsOf(system(), document.id)).toEqual([])
    // 20 November at 18:30 in the office is the 21st in UTC.
    system().wait(hours(9.5))
    expect(await record(clerk, document.id, { issuedOn: '2026-11-21' })).toBe('copy-day-ahead')
    expect(await record(clerk, document.id)).toBe('done')
  })

  test('are recorded and cancelled by staff who prepare documents, of the office of the document', async () => {
    const { clerk, document, personOf } = await aSignedDocument(system())
    const [auditor, admin, lawyer, other] = [
      await personOf('AUDITOR'),
      await personOf('ADMIN'),
      await personOf('LAWYER'),
      await personOf('CLERK'),
    ]
    for (const actor of [auditor, admin])
      expect(await outcomeOf(recordCopy(system(), actor, aCopy(document.id)))).toBe('forbidden')
    expect(await outcomeOf(recordCopy(system(), stranger(), aCopy(document.id)))).toBe(
      'not-signed-in',
    )
    const foreigner = asPerson(
      await storedUser(system().db, await storedOffice(system().db, { number: 7 }), ['NOTARY']),
    )
    expect(await outcomeOf(recordCopy(system(), foreigner, aCopy(document.id)))).toBe('not-found')
    const own = await recordCopy(system(), clerk, aCopy(document.id))
    const named = { documentId: document.id, copyId: own.id }
    for (const actor of [auditor, admin])
      expect(await outcomeOf(cancel(system(), actor, own))).toBe('forbidden')
    expect(await outcomeOf(cancel(system(), foreigner, own))).toBe('not-found')
    expect(await outcomeOf(readCancellableCopy(system(), auditor, named))).toBe('forbidden')
    expect(await outcomeOf(cancel(system(), other, own))).toBe('done')
    const second = await recordCopy(system(), clerk, aCopy(document.id, { ordinal: 2 }))
    expect(await outcomeOf(cancel(system(), lawyer, second))).toBe('done')
  })

  test('are cancelled once, with a reason, and not again by another user', async () => {
    const { clerk, notary, document } = await aSignedDocument(system())
    const copy = await recordCopy(system(), clerk, aCopy(document.id))
    expect(
      await Promise.all([1, 2, 3].map(() => outcomeOf(cancel(system(), clerk, copy)))),
    ).toEqual(['done', 'done', 'done'])
    expect(await outcomeOf(cancel(system(), notary, copy))).toBe('wrong-state')
    const named = { documentId: document.id, copyId: copy.id }
    expect(await outcomeOf(readCancellableCopy(system(), notary, named))).toBe('wrong-state')
    const events = (await system().log()).filter(
      ({ action }) => action === 'document.copy-cancelled',
    )
    expect(events).toMatchObject([{ details: { kind: 'testimony', ordinal: 1, reason: REASON } }])
    const { copies } = await listCopies(system(), notary, { documentId: document.id })
    expect(copies).toMatchObject([{ ordinal: 1, mayCancel: false, cancelled: { reason: REASON } }])
  })

  test('show the RFC of the recipient to notaries, auditors, administrators and who recorded it', async () => {
    const { clerk, notary, document, personOf } = await aSignedDocument(system())
    await recordCopy(system(), clerk, aCopy(document.id))
    const rfcFor = async (actor: Person) =>
      (await listCopies(system(), actor, { documentId: document.id })).copies[0]?.recipient.rfc
    for (const actor of [clerk, notary, await personOf('AUDITOR'), await personOf('ADMIN')])
      expect(await rfcFor(actor)).toBe('ROVH850101QX2')
    for (const actor of [await personOf('CLERK'), await personOf('LAWYER')])
      expect(await rfcFor(actor)).toBeNull()
  })

  test('are listed by pages, each copy once, also if many were recorded in one millisecond', async () => {
    const { clerk, document } = await aSignedDocument(system())
    for (let ordinal = 1; ordinal <= 7; ordinal += 1) {
      if (ordinal % 3 === 0) system().wait(minutes(1))
      await recordCopy(system(), clerk, aCopy(document.id, { ordinal }))
    }
    const seen: number[] = []
    let next: string | undefined
    do {
      const query = ListCopies.parse({ documentId: document.id, behind: next })
      const page = await listCopies(system(), clerk, { ...query, size: 2 })
      seen.push(...page.copies.map(({ ordinal }) => ordinal))
      next = page.next
    } while (next !== undefined)
    expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(seen.slice(-2).toSorted()).toEqual([1, 2])
  })

  test('cannot be changed or deleted in the database', async () => {
    const { clerk, document } = await aSignedDocument(system())
    const copy = await recordCopy(system(), clerk, aCopy(document.id))
    await cancel(system(), clerk, copy)
    const { db } = system()
    const changes = [
      (trx: Transaction) => trx.updateTable('issued_copies').set({ ordinal: 9 }).execute(),
      (trx: Transaction) => trx.deleteFrom('copy_cancellations').execute(),
      (trx: Transaction) => trx.deleteFrom('issued_copies').execute(),
    ]
    for (const change of changes)
      await expect(db.transaction(async (trx) => void (await change(trx)))).rejects.toThrow(
        'append-only',
      )
  })
})
