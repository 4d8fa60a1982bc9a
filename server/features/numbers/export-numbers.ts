import { z } from 'zod'
import { listEntriesIn, type OfSeries } from '#server/db/documents/numbers/number-entries.ts'
import { findSeries } from '#server/db/documents/numbers/number-series.ts'
import { listNumberTexts } from '#server/db/documents/numbers/number-texts.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { instantsOf } from '#server/domain/documents/document-filters.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { ListNumbers } from './list-numbers.ts'
import { type NumberLine, namedLines } from './named-lines.ts'

const { seriesId, from, to } = ListNumbers.shape
export const ExportNumbers = z.object({ seriesId: seriesId.unwrap(), from, to })
export type ExportNumbers = z.infer<typeof ExportNumbers>

/**
 * All lines of the register of a series in the order of the numbers, then what stands in place of numbers; of a period, those
 * of its days only. Each costs the same, however long the register is; other requests run in between.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function exportNumbers(
  { db, eventQueue, clock }: Pick<System, 'db' | 'eventQueue' | 'clock'>,
  actor: Actor,
  asked: ExportNumbers,
) {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'numbers.read', own, at)
  const office = await findOffice(db, officeId)
  const series = await findSeries(db, officeId, asked.seriesId)
  if (!office || !series) throw new Problem('not-found', `no series ${asked.seriesId}`)
  const of = { officeId, seriesId: series.id }
  await eventQueue.append({
    actor,
    at,
    action: 'number.exported',
    subject: { kind: 'number-series', id: series.id },
    details: { name: series.name, from: asked.from ?? null, to: asked.to ?? null },
  })
  const period = instantsOf(asked, office.timeZone)
  return { series, timeZone: office.timeZone, lines: linesOf(db, of, period) }
}

type Period = { from: Instant | undefined; to: Instant | undefined }

async function* linesOf(
  db: System['db'],
  of: OfSeries,
  period: Period,
): AsyncGenerator<NumberLine> {
  const letOthersRun = turnTaker()
  const isIn = ({ at }: { at: Instant }) =>
    (period.from === undefined || at >= period.from) && (period.to === undefined || at <= period.to)
  for (let first = 1; ; ) {
    const entries = await listEntriesIn(db, of, { first, last: HIGHEST }, CHUNK)
    yield* await namedLines(db, entries.filter(isIn))
    await letOthersRun()
    const last = entries.at(-1)
    if (entries.length < CHUNK || !last) break
    first = last.last + 1
  }
  for (let behind: Parameters<typeof listNumberTexts>[2]['behind']; ; ) {
    const texts = await listNumberTexts(db, of, { behind, limit: CHUNK })
    yield* await namedLines(db, texts.filter(isIn))
    await letOthersRun()
    const last = texts.at(-1)
    if (texts.length < CHUNK || !last) break
    behind = { at: last.at, id: last.documentId }
  }
}

const HIGHEST = 99_999_999
const CHUNK = 500
