import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findDeadline, replaceDeadline } from '#server/db/obligations/deadlines.ts'
import { findObligation } from '#server/db/obligations/obligations.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import { type Day, dayOf } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DeadlineId } from '#server/domain/ids.ts'
import type { Deadline } from '#server/domain/obligations/deadline.ts'
import { firstNoticeOn } from '#server/domain/obligations/notices.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { authorizedOffice } from './authorized-office.ts'
import { resolveUnneeded } from './resolve-unneeded.ts'

export type DeadlineAnswer =
  | { state: 'done'; doneOn: Day; note: string | null; acknowledgement: string | null }
  | { state: 'not-applicable'; reason: string }
  /** It was a mistake: it is to be done. */
  | { state: 'open' }

export type SetDeadlineState = { deadlineId: DeadlineId; answer: DeadlineAnswer }

/**
 * Notes that something was done, that it does not apply, or that it is still to be done; each is an event. Repeated, it changes
 * nothing.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `done-day-ahead`; `wrong-state` for one that another user answered
 *   otherwise, or that was withdrawn
 */
export async function setDeadlineState(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { deadlineId, answer }: SetDeadlineState,
): Promise<void> {
  const at = clock.now()
  const { person, office } = await authorizedOffice({ db }, actor, 'obligations.mark', at)
  if (answer.state === 'done' && answer.doneOn > dayOf(at, office.timeZone))
    throw new Problem('done-day-ahead', `${answer.doneOn} has not come`)
  await db.transaction(async (trx) => {
    const seen = await findDeadline(trx, office.id, deadlineId)
    if (!seen) throw new Problem('not-found', `no deadline ${deadlineId}`)
    const next = { ...answered(seen, answer), stateSince: at, stateBy: person.userId }
    if (isSame(seen, next)) return
    if (answer.state !== 'open' && seen.state !== 'open')
      throw new Problem('wrong-state', `${deadlineId} is ${seen.state}`)
    if (seen.state === 'withdrawn' || !(await replaceDeadline(trx, seen, next)))
      throw new Problem('wrong-state', `${deadlineId} moved on from ${seen.state}`)
    await resolveUnneeded(trx, seen, { at, by: person.userId })
    const obligation = await findObligation(trx, office, seen.obligationId)
    await appendEvent(trx, {
      ...{ actor, at, action: ACTIONS[answer.state], subject: subjectOf(seen) },
      details: {
        name: obligation?.name ?? '',
        dueOn: seen.dueOn,
        ...periodOf(seen),
        ...factsOf(answer),
      },
    })
  })
}

const ACTIONS = {
  done: 'deadline.done',
  'not-applicable': 'deadline.not-applicable',
  open: 'deadline.reopened',
} as const satisfies Record<DeadlineAnswer['state'], AuditEvent['action']>

const nothingSaid = { doneOn: null, note: null, acknowledgement: null, alert: null }

function answered(seen: Deadline, answer: DeadlineAnswer): Deadline {
  switch (answer.state) {
    case 'done':
      return { ...seen, ...nothingSaid, ...answer, noticeOn: null }
    case 'not-applicable':
      return { ...seen, ...nothingSaid, state: answer.state, note: answer.reason, noticeOn: null }
    case 'open':
      return { ...seen, ...nothingSaid, state: 'open', noticeOn: firstNoticeOn(seen.dueOn) }
  }
}

const isSame = (seen: Deadline, next: Deadline): boolean =>
  seen.state === next.state &&
  (seen.state === 'open' ||
    (['doneOn', 'note', 'acknowledgement'] as const).every((fact) => seen[fact] === next[fact]))

/** The history of a document has what was done for it. */
const subjectOf = ({ about, officeId }: Deadline) =>
  about.kind === 'document'
    ? ({ kind: 'document', id: about.documentId } as const)
    : ({ kind: 'office', id: officeId } as const)

const periodOf = ({ about }: Deadline) =>
  about.kind === 'month' ? { period: about.period as string } : {}

function factsOf(answer: DeadlineAnswer): AuditEvent['details'] {
  switch (answer.state) {
    case 'done':
      return {
        ...{ doneOn: answer.doneOn, note: answer.note },
        acknowledgement: answer.acknowledgement,
      }
    case 'not-applicable':
      return { reason: answer.reason }
    case 'open':
      return {}
  }
}
