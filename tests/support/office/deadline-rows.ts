import { randomUUID } from 'node:crypto'
import { insertDeadlines } from '#server/db/obligations/deadlines.ts'
import { insertNonWorkingDay } from '#server/db/obligations/non-working-days.ts'
import { upsertObligation } from '#server/db/obligations/obligations.ts'
import type { DocumentRow } from '#server/db/tables/documents.ts'
import type { DeadlineRow } from '#server/db/tables/obligations.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { type Day, dayOf, daysAfter } from '#server/domain/day.ts'
import type { User } from '#server/domain/identity/user.ts'
import { DeadlineId, type DocumentId, ObligationId } from '#server/domain/ids.ts'
import type { Deadline } from '#server/domain/obligations/deadline.ts'
import { Obligation } from '#server/domain/obligations/obligation.ts'
import { before, days, type Instant } from '#server/domain/time.ts'

/** Those of the program come in addition. */
const MOST_OWN = 50

export const anObligation = (by: User, at: Instant, name: string) => ({
  ...Obligation.parse({
    ...{ id: randomUUID(), officeId: by.officeId, name, channel: null, state: 'active' },
    term: {
      ...{ basis: 'document', days: 5, counting: 'natural', shift: 'stay' },
      ...{ kinds: ['will'], acts: [] },
    },
    ...{ source: 'Circular 3', sourceDay: '2026-11-01', at, by: by.id },
  } satisfies Record<keyof Obligation, unknown>),
  ...{ at, by: by.id },
})

export const aDeadline = (
  obligation: Pick<Obligation, 'id' | 'officeId'>,
  about: Deadline['about'],
  at: Instant,
  changes: Partial<Deadline> = {},
): Deadline => ({
  ...{ id: DeadlineId.parse(randomUUID()), officeId: obligation.officeId },
  ...{ obligationId: obligation.id, about, dueOn: dayOf(at, 'UTC'), state: 'open' },
  ...{ stateSince: at, stateBy: null, doneOn: null, note: null, acknowledgement: null },
  ...{ noticeOn: null, alert: null, ...changes },
})

/** Obligations and non-working days of each user, and deadlines of each document, and of one for each obligation. */
export async function insertDeadlineRows(
  trx: Transaction,
  scene: { clerks: readonly User[]; at: Instant },
  { held, signed }: { held: readonly { id: DocumentId }[]; signed: { id: DocumentId } },
): Promise<{ obligation: string; deadline: string }> {
  const { clerks, at } = scene
  const base = dayOf(at, 'UTC')
  const own = clerks.slice(0, MOST_OWN).map((by, index) => anObligation(by, at, `Aviso ${index}`))
  for (const obligation of own) await upsertObligation(trx, obligation)
  for (const [index, { id: by, officeId }] of clerks.entries())
    await insertNonWorkingDay(trx, {
      ...{ day: daysAfter(base, 30 + index), name: `Asueto ${index}`, source: null },
      ...{ officeId, at, by },
    })
  const [first] = own
  if (!first) throw new Error('an office has users')
  const about = (documentId: DocumentId) => ({ kind: 'document', documentId, base }) as const
  const deadlines = [
    ...held.map(({ id }) => aDeadline(first, about(id), at)),
    ...own.map((obligation) => aDeadline(obligation, about(signed.id), at)),
  ]
  await insertDeadlines(trx, deadlines)
  return { obligation: first.id, deadline: deadlines[0]?.id ?? '' }
}

const OBLIGATION = ObligationId.parse('c9e7b3d5-61f2-4c8e-a7d3-2b5f8a9c0d03')

/** One for each signed document; most were done. */
export const deadlineRows = (documents: readonly DocumentRow[], now: Instant): DeadlineRow[] =>
  documents
    .filter(({ state }) => state === 'signed')
    .map(({ id, office_id, created_at, created_by }, index) => {
      const base = dayOf(created_at, 'UTC')
      const isOpen = index % 20 === 3
      const dueOn: Day = isOpen ? dayOf(before(now, days(index % 60)), 'UTC') : daysAfter(base, 5)
      return {
        ...{ id: randomUUID(), office_id, obligation_id: OBLIGATION, document_id: id },
        ...{ period: null, base_on: base, due_on: dueOn },
        ...{ state: isOpen ? 'open' : 'done', state_since: created_at },
        ...{ state_by: isOpen ? null : created_by, done_on: isOpen ? null : dueOn },
        ...{ note: null, acknowledgement: null, alert: null },
        // A few, whose users are to be warned.
        notice_on: index % 400 === 3 ? dueOn : null,
      }
    })
