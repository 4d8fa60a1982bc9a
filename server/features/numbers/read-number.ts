import { z } from 'zod'
import { findEntry, findEntryOf } from '#server/db/documents/numbers/number-entries.ts'
import { findSeries } from '#server/db/documents/numbers/number-series.ts'
import { findNumberText } from '#server/db/documents/numbers/number-texts.ts'
import type { NumberEntry } from '#server/domain/documents/numbers/number-entry.ts'
import type { NumberSeries } from '#server/domain/documents/numbers/number-series.ts'
import { SeriesNumber } from '#server/domain/documents/numbers/series-number.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { type DocumentId, NumberSeriesId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { type NumberLine, namedLines } from './named-lines.ts'

export const ReadNumber = z.object({ seriesId: NumberSeriesId, number: SeriesNumber })
export type ReadNumber = z.infer<typeof ReadNumber>

/**
 * The line of the register that has this number.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` also for a number that no document has and that is not missing
 */
export async function readNumber(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { seriesId, number }: ReadNumber,
): Promise<{ series: NumberSeries; line: Extract<NumberLine, { kind: 'entry' }> }> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'numbers.read', own, clock.now())
  const series = await findSeries(db, officeId, seriesId)
  const entry = series && (await findEntry(db, { officeId, seriesId }, number))
  const [line] = entry ? await namedLines(db, [entry]) : []
  if (!series || line?.kind !== 'entry') throw new Problem('not-found', `no number ${number}`)
  return { series, line }
}

/** What the register says about the number of a document. */
export type NumberOfDocument =
  | { kind: 'none' }
  | { kind: 'entry'; entry: NumberEntry; series: NumberSeries; isAhead: boolean }
  | { kind: 'text' }

/**
 * What the register knows about a document of the actor's office.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function readNumberOfDocument(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { documentId }: { documentId: DocumentId },
): Promise<NumberOfDocument> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'numbers.read', own, clock.now())
  const entry = await findEntryOf(db, documentId)
  if (!entry) return { kind: (await findNumberText(db, documentId)) ? 'text' : 'none' }
  const series = await findSeries(db, officeId, entry.seriesId)
  if (!series || entry.officeId !== officeId) return { kind: 'none' }
  return { kind: 'entry', entry, series, isAhead: entry.first > (series.next ?? entry.first) }
}
