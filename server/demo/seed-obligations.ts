import { daysAfter } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Deadline } from '#server/domain/obligations/deadline.ts'
import { listDeadlines } from '#server/features/obligations/list-deadlines.ts'
import { setDeadlineState } from '#server/features/obligations/set-deadline-state.ts'
import { setDeadlines } from '#server/features/obligations/set-deadlines.ts'
import type { System } from '#server/system.ts'
import { actorFor } from './demo-actor.ts'

/** Those that are late for longer were done on their day. */
const LATE_DAYS = 3

/** The deadlines of the documents that the demo signed; once, most of those that have passed are noted as done. */
export async function seedObligations(system: System, users: readonly User[]): Promise<void> {
  await setDeadlines(system)
  const clerk = actorFor(system, users, 'auxiliar')
  const { deadlines: done } = await listDeadlines(system, clerk, { show: 'done' })
  if (done.length > 0) return
  for (const { id: deadlineId, dueOn: doneOn } of await listLongLate(system, clerk))
    await setDeadlineState(system, clerk, {
      deadlineId,
      answer: { state: 'done', doneOn, note: null, acknowledgement: null },
    })
}

async function listLongLate(system: System, by: Actor): Promise<Deadline[]> {
  const found: Deadline[] = []
  let behind: string | undefined
  do {
    const page = await listDeadlines(system, by, { show: 'late', ...(behind && { behind }) })
    const last = daysAfter(page.today, -LATE_DAYS)
    found.push(
      ...page.deadlines.map(({ deadline }) => deadline).filter(({ dueOn }) => dueOn < last),
    )
    behind = page.next
  } while (behind)
  return found
}
