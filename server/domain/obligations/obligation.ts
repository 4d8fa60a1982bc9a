import { z } from 'zod'
import { Day } from '#server/domain/day.ts'
import { DocumentKind } from '#server/domain/documents/document.ts'
import { line } from '#server/domain/identity/text.ts'
import { ObligationId, OfficeId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/** Obligations of one office, those of the program and those that are switched off included. */
export const MOST_OBLIGATIONS = 60
export const MOST_TERM_DAYS = 366
export const MOST_TERM_ACTS = 20

/** What becomes of a day on which the office does not work: it stays, or the next or the previous working day counts. */
export const Shift = z.enum(['stay', 'next', 'previous'])
export type Shift = z.infer<typeof Shift>

export const Counting = z.enum(['natural', 'working'])
export type Counting = z.infer<typeof Counting>

/** So many days after a document was signed. */
export const DocumentTerm = z.object({
  basis: z.literal('document'),
  /** Null while the office has not noted them: the program does not know them. */
  days: z.int().min(1).max(MOST_TERM_DAYS).nullable(),
  counting: Counting,
  /** Of natural days; working days never end on another. */
  shift: Shift,
  /** All documents of these kinds. */
  kinds: z.array(DocumentKind),
  /** And instruments of the protocol with one of these acts, whatever their kind. */
  acts: z.array(line(80)).max(MOST_TERM_ACTS),
})
export type DocumentTerm = z.infer<typeof DocumentTerm>

/** A day of each month, about the month before. */
export const MonthTerm = z.object({
  basis: z.literal('month'),
  /** Of a shorter month, the last day. Null while the office has not noted it. */
  day: z.int().min(1).max(31).nullable(),
  shift: Shift,
})
export type MonthTerm = z.infer<typeof MonthTerm>

export const ObligationTerm = z.discriminatedUnion('basis', [DocumentTerm, MonthTerm])
export type ObligationTerm = z.infer<typeof ObligationTerm>

const Facts = z.object({
  name: line(100),
  /** Where it is fulfilled: `DeclaraNOT, portal del SAT`. */
  channel: line(120).nullable(),
  term: ObligationTerm,
  /** Where it is written. Null: the program does not know, and the office notes it. */
  source: line(300).nullable(),
  /** When the source was read. */
  sourceDay: Day.nullable(),
})

/** What the office writes about an obligation: it has a term, and applies to something. */
export const ObligationData = Facts.refine(({ term }) => hasNumber(term), 'no term').refine(
  ({ term }) => term.basis === 'month' || term.kinds.length + term.acts.length > 0,
  'applies to nothing',
)
export type ObligationData = z.infer<typeof ObligationData>

/** Something that the office must do by a day. */
export const Obligation = Facts.extend({
  id: ObligationId,
  officeId: OfficeId,
  state: z.enum(['active', 'off']),
  /** Null for an obligation of the program that the office has not changed. */
  at: Instant.nullable(),
  by: UserId.nullable(),
})
export type Obligation = z.infer<typeof Obligation>

/** Whether its days can be counted. */
export const hasNumber = (term: ObligationTerm): boolean =>
  (term.basis === 'document' ? term.days : term.day) !== null

type Loggable = Record<string, string | number | null>

/** The facts of an obligation as the log keeps them. */
export const factsOfObligation = ({
  name,
  channel,
  term,
  source,
  sourceDay,
}: ObligationData): Loggable => ({
  ...{ name, channel, source, sourceDay, shift: term.shift },
  ...(term.basis === 'month'
    ? { day: term.day }
    : {
        ...{ days: term.days, counting: term.counting },
        ...{ kinds: term.kinds.join(', '), acts: term.acts.join('; ') },
      }),
})

/** The facts that differ, after and before: `days` and `daysBefore`; empty if nothing differs. */
export function changedFactsOf(before: ObligationData, after: ObligationData): Loggable {
  const [old, now] = [factsOfObligation(before), factsOfObligation(after)]
  return Object.fromEntries(
    Object.keys(now)
      .filter((fact) => now[fact] !== old[fact])
      .flatMap((fact) => [
        [fact, now[fact] ?? null],
        [`${fact}Before`, old[fact] ?? null],
      ]),
  )
}
