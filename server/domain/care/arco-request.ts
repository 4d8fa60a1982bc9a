import { z } from 'zod'
import { workingDaysAfter } from '#server/domain/calendar/working-days.ts'
import { Day } from '#server/domain/day.ts'
import { Email } from '#server/domain/identity/email.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import { line, paragraphs } from '#server/domain/identity/text.ts'
import { ArcoRequestId, OfficeId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/** What a person asks about their data. @see LFPDPPP (DOF 20/03/2025), derechos ARCO */
export const ArcoKind = z.enum(['access', 'rectification', 'cancellation', 'opposition'])
export type ArcoKind = z.infer<typeof ArcoKind>

/** How it reached the office. */
export const ArcoWay = z.enum(['in-person', 'letter', 'email', 'other'])
export type ArcoWay = z.infer<typeof ArcoWay>

export const ArcoState = z.enum([
  /** The identity is not proven yet. */
  'received',
  'identified',
  /** It was granted, and is not made effective yet. */
  'answered',
  'closed',
])
export type ArcoState = z.infer<typeof ArcoState>

/** The terms in working days, with the law that says so. */
export const ArcoTerms = z.object({
  /** From the day on which the request came. */
  answerDays: z.int().min(1).max(60),
  /** From the day of the answer. */
  effectDays: z.int().min(1).max(60),
  source: line(300),
  /** Of the source: when it was published, or last looked at. */
  sourceDay: Day,
})
export type ArcoTerms = z.infer<typeof ArcoTerms>

/** The terms of the federal law, until an administrator sets others. */
export const FEDERAL_TERMS: ArcoTerms = {
  answerDays: 20,
  effectDays: 15,
  source: 'LFPDPPP, DOF 20/03/2025',
  sourceDay: Day.parse('2025-03-20'),
}

/** How a person proved who they are. No copy of the paper is kept. */
export const IdentityProof = z.object({
  how: z.enum(['official-id', 'efirma', 'representative', 'other']),
  on: Day,
  /** What was shown, without its number. */
  note: line(300).nullable(),
  at: Instant,
  by: UserId,
})
export type IdentityProof = z.infer<typeof IdentityProof>

export const ArcoOutcome = z.enum(['granted', 'partial', 'denied'])
export type ArcoOutcome = z.infer<typeof ArcoOutcome>

export const ArcoAnswer = z.object({
  outcome: ArcoOutcome,
  /** What the person is told. */
  text: paragraphs(4000).pipe(z.string().min(1)),
  /** Why not, or not all of it, by which law; null if it was granted. */
  reason: paragraphs(1000).pipe(z.string().min(1)).nullable(),
  /** In the office's time zone. */
  on: Day,
  at: Instant,
  by: UserId,
})
export type ArcoAnswer = z.infer<typeof ArcoAnswer>

/** What a person tells the office. */
export const ArcoFacts = z.object({
  kind: ArcoKind,
  way: ArcoWay,
  /** In the office's time zone. */
  receivedOn: Day,
  name: line(150),
  rfc: Rfc.nullable(),
  email: Email.nullable(),
  asked: paragraphs(4000).pipe(z.string().min(1)),
})
export type ArcoFacts = z.infer<typeof ArcoFacts>

export const ArcoRequest = ArcoFacts.extend({
  id: ArcoRequestId,
  officeId: OfficeId,
  year: z.int(),
  /** Counts from 1 in each year. */
  number: z.int().positive(),
  /** Those of the day on which it was recorded. */
  terms: ArcoTerms,
  state: ArcoState,
  stateSince: Instant,
  /** Null when nothing is left to do. */
  dueOn: Day.nullable(),
  /** The term that was extended, which is possible once. */
  extended: z.object({ term: z.enum(['answer', 'effect']), on: Day }).nullable(),
  identity: IdentityProof.nullable(),
  answer: ArcoAnswer.nullable(),
  createdAt: Instant,
  createdBy: UserId,
})
export type ArcoRequest = z.infer<typeof ArcoRequest>

/** What was done about a request. */
export const ArcoStepKind = z.enum(['recorded', 'identified', 'extended', 'answered', 'effected'])
export type ArcoStepKind = z.infer<typeof ArcoStepKind>

export type ArcoStep = {
  kind: ArcoStepKind
  at: Instant
  by: UserId
  /** What the person wrote; null if nothing. */
  note: string | null
}

/** `ARCO-2026-0001` */
export const arcoNumber = ({ year, number }: Pick<ArcoRequest, 'year' | 'number'>): string =>
  `ARCO-${year}-${String(number).padStart(4, '0')}`

type Due = Pick<ArcoRequest, 'receivedOn' | 'terms' | 'state' | 'extended'> & {
  answer: Pick<ArcoAnswer, 'on'> | null
}

/** The term that runs; null when none does. */
export function runningTerm({ state }: Pick<ArcoRequest, 'state'>): 'answer' | 'effect' | null {
  if (state === 'closed') return null
  return state === 'answered' ? 'effect' : 'answer'
}

/**
 * The last day of the term that runs; null when none does. An extension adds the same term once more.
 *
 * @param own the days on which the office does not work, beside those of the law
 */
export function dueDayOf(
  { receivedOn, terms, state, extended, answer }: Due,
  own: ReadonlySet<Day>,
): Day | null {
  const term = runningTerm({ state })
  if (term === null) return null
  const from = term === 'answer' ? receivedOn : (answer?.on ?? receivedOn)
  const count = term === 'answer' ? terms.answerDays : terms.effectDays
  return workingDaysAfter(from, extended?.term === term ? 2 * count : count, own)
}

/** The state that an answer leads to: what was denied needs no effect. */
export const stateAfter = (outcome: ArcoOutcome): ArcoState =>
  outcome === 'denied' ? 'closed' : 'answered'

/** Whether the term that runs may be extended. */
export const isExtendable = ({
  state,
  extended,
}: Pick<ArcoRequest, 'state' | 'extended'>): boolean => state !== 'closed' && extended === null
