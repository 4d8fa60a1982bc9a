import { listOwnDays } from '#server/db/obligations/non-working-days.ts'
import { listObligations } from '#server/db/obligations/obligations.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Day } from '#server/domain/day.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { ObligationId, OfficeId } from '#server/domain/ids.ts'
import { appliesTo } from '#server/domain/obligations/applies-to.ts'
import type { Deadline } from '#server/domain/obligations/deadline.ts'
import { dueDayOf, dueDayOfMonth } from '#server/domain/obligations/due-day.ts'
import type { Obligation } from '#server/domain/obligations/obligation.ts'

/** What deadlines of an office are counted by. */
export type Terms = {
  office: Office
  obligations: ReadonlyMap<ObligationId, Obligation>
  /** Its non-working days. */
  own: ReadonlySet<Day>
}

/** Undefined for an office that is not there. */
export async function termsOfOffice(db: Reader, officeId: OfficeId): Promise<Terms | undefined> {
  const office = await findOffice(db, officeId)
  if (!office) return undefined
  const obligations = await listObligations(db, office)
  return {
    office,
    obligations: new Map(obligations.map((one) => [one.id, one])),
    own: await listOwnDays(db, officeId),
  }
}

/** A document with the names of the acts of its signing sessions. */
export type CountedDocument = { document: Document; sessionActs: readonly string[] }

/** The last day by these terms; null if the obligation is off, or does not apply. */
export function dueDayBy(
  { obligations, own }: Terms,
  { obligationId, about }: Pick<Deadline, 'obligationId' | 'about'>,
  counted: CountedDocument | undefined,
): Day | null {
  const obligation = obligations.get(obligationId)
  if (obligation?.state !== 'active') return null
  const { term } = obligation
  if (term.basis === 'month')
    return about.kind === 'month' ? dueDayOfMonth(term, about.period, own) : null
  if (about.kind === 'month' || !counted) return null
  const { document, sessionActs } = counted
  const written = document.instrument?.acts
  const acts = written ? [written, ...sessionActs] : sessionActs
  return appliesTo(term, { kind: document.kind, acts }) ? dueDayOf(term, about.base, own) : null
}
