import { z } from 'zod'
import {
  countEntries,
  listEntries,
  type OfSeries,
} from '#server/db/documents/numbers/number-entries.ts'
import { listSeries } from '#server/db/documents/numbers/number-series.ts'
import { listNumberTexts } from '#server/db/documents/numbers/number-texts.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Reader } from '#server/db/transaction.ts'
import { Day } from '#server/domain/day.ts'
import { instantsOf } from '#server/domain/documents/document-filters.ts'
import { NumberState } from '#server/domain/documents/numbers/number-entry.ts'
import type { NumberSeries } from '#server/domain/documents/numbers/number-series.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { DocumentId, NumberSeriesId } from '#server/domain/ids.ts'
import { cursorText, pageCursor } from '#server/domain/page-cursor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { type NumberLine, namedLines } from './named-lines.ts'

/** `texts`: what documents have in place of a number of the register. */
const Show = z.enum([...NumberState.options, 'texts'])

export const ListNumbers = z.object({
  /** Of the instruments if absent. */
  seriesId: NumberSeriesId.optional(),
  /** All lines of the register if absent. */
  show: Show.optional(),
  /** The first and the last day on which the lines got their state, in the office's time zone. Not for `texts`. */
  from: Day.optional(),
  to: Day.optional(),
  /** The `next` of the previous page. */
  behind: z.string().max(100).optional(),
})
export type ListNumbers = z.infer<typeof ListNumbers>

/** Lines of a state are counted up to this number. */
export const MOST_LINES_COUNTED = 1000

export type NumberPage = {
  series: NumberSeries[]
  shown: NumberSeries
  lines: NumberLine[]
  counts: Partial<Record<NumberState, number>>
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
}

/**
 * A page of the register of a series, highest numbers first; of a period, the last changed first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` for an unknown series
 */
export async function listNumbers(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { seriesId = INSTRUMENT_SERIES, size = 50, ...asked }: ListNumbers & { size?: number },
): Promise<NumberPage> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'numbers.read', own, clock.now())
  const office = await findOffice(db, officeId)
  const series = await listSeries(db, officeId)
  const shown = series.find(({ id }) => id === seriesId)
  if (!office || !shown) throw new Problem('not-found', `no series ${seriesId}`)
  const of = { officeId, seriesId }
  const found =
    asked.show === 'texts'
      ? await findTexts(db, of, asked, size)
      : await findLines(db, of, { ...asked, show: asked.show }, office, size)
  return { series, shown, ...found, counts: await countsOf(db, of) }
}

async function findLines(
  db: Reader,
  of: OfSeries,
  {
    show,
    from,
    to,
    behind,
  }: Omit<ListNumbers, 'seriesId' | 'show'> & { show: NumberState | undefined },
  { timeZone }: Office,
  size: number,
) {
  const cursor = LineCursor.safeParse(behind).data
  const entries = await listEntries(db, {
    ...of,
    ...instantsOf({ from, to }, timeZone),
    state: show,
    behind: cursor && { at: cursor.at, first: Number(cursor.id) },
    limit: size + 1,
  })
  const page = entries.slice(0, size)
  const last = entries.length > size ? page.at(-1) : undefined
  return {
    lines: await namedLines(db, page),
    next: last && cursorText({ at: last.at, id: String(last.first) }),
  }
}

const LineCursor = pageCursor(z.string().regex(/^\d{1,8}$/))
const TextCursor = pageCursor(DocumentId)

async function findTexts(db: Reader, of: OfSeries, { behind }: ListNumbers, size: number) {
  const cursor = TextCursor.safeParse(behind).data
  const texts = await listNumberTexts(db, of, { behind: cursor, limit: size + 1 })
  const page = texts.slice(0, size)
  const last = texts.length > size ? page.at(-1) : undefined
  return {
    lines: await namedLines(db, page),
    next: last && cursorText({ at: last.at, id: last.documentId }),
  }
}

async function countsOf(db: Reader, of: OfSeries) {
  const counts: Partial<Record<NumberState, number>> = {}
  for (const state of TO_DO) counts[state] = await countEntries(db, of, state, MOST_LINES_COUNTED)
  return counts
}

/** What is not clear yet, or waits for a document. */
const TO_DO: readonly NumberState[] = ['reserved', 'left', 'missing']
