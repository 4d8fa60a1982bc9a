import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findDocument, replaceDescription } from '#server/db/documents/documents.ts'
import { findEntryOf } from '#server/db/documents/numbers/number-entries.ts'
import { findSeries, lockNumbers } from '#server/db/documents/numbers/number-series.ts'
import { deleteNumberText } from '#server/db/documents/numbers/number-texts.ts'
import { findLease, lockLeases } from '#server/db/documents/prepared-signatures.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { NumberSeries } from '#server/domain/documents/numbers/number-series.ts'
import { numberText, SeriesNumber } from '#server/domain/documents/numbers/series-number.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId, NumberSeriesId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { holdNumber } from '#server/steps/documents/numbers/hold-number.ts'
import { writeTexts } from '#server/steps/documents/write-texts.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const TakeNumber = z.object({
  documentId: DocumentId,
  seriesId: NumberSeriesId,
  /** A number that was set apart, left or written by hand; null for the next one. */
  number: SeriesNumber.nullable(),
})
export type TakeNumber = z.infer<typeof TakeNumber>

export type TakenNumber = { number: number; isOutside: boolean }

/**
 * Gives a draft a number of the series: the next one, in the order in which transactions commit, or one that the user
 * chose. A draft that has a number keeps it: a double click and a second tab take no second one.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `wrong-state`, `someone-signing`; `number-present` if it has
 *   another number; `series-not-started`, `number-used`, `number-explained`
 */
export async function takeNumber(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { documentId, seriesId, number }: TakeNumber,
): Promise<TakenNumber> {
  const at = clock.now()
  const found = await findDocument(db, documentId)
  if (!found) throw new Problem('not-found', `no document ${documentId}`)
  const subject = { kind: 'document', id: documentId } as const
  const person = await authorizeOrRecord(db, actor, 'document.describe', found, at, subject)
  const author = { at, by: person.userId }
  return await db.transaction(async (trx) => {
    await lockLeases(trx, documentId)
    await lockNumbers(trx, person.officeId)
    const document = (await findDocument(trx, documentId)) ?? found
    if (document.state !== 'draft')
      throw new Problem('wrong-state', `${documentId} is ${document.state}, no draft`)
    const held = await findEntryOf(trx, documentId)
    if (held && held.seriesId === seriesId && held.first === (number ?? held.first))
      return { number: held.first, isOutside: false }
    if (document.instrument) throw new Problem('number-present', `${documentId} has a number`)
    const lease = await findLease(trx, documentId, at)
    if (lease) throw new Problem('someone-signing', `${lease.id} holds ${documentId}`)
    const series = await findSeries(trx, person.officeId, seriesId)
    if (!series) throw new Problem('not-found', `no series ${seriesId}`)
    const taken = number ?? series.next
    if (taken === null) throw new Problem('series-not-started', `${seriesId} has no next number`)
    const next = { ...document, instrument: instrumentOf(series, taken) }
    if (!(await replaceDescription(trx, document, next)))
      throw new Problem('wrong-state', `${documentId} moved on meanwhile`)
    await deleteNumberText(trx, documentId)
    const { isOutside } = await holdNumber(
      trx,
      series,
      taken,
      { state: 'used', documentId, note: null },
      author,
    )
    await writeTexts(trx, [documentId])
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'number.taken',
      subject,
      details: { number: taken, series: series.name, volume: series.book },
    })
    return { number: taken, isOutside }
  })
}

/** Folios, date, act and parties follow when the draft is edited. */
const instrumentOf = (
  { book }: NumberSeries,
  number: number,
): NonNullable<Document['instrument']> => ({
  ...{ number: numberText(number), volume: book, folios: null, date: null, acts: null },
  parties: [],
})
