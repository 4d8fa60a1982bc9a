import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findChecklist, upsertChecklist } from '#server/db/signing-sessions/act-checklists.ts'
import { findAct, lockActs } from '#server/db/signing-sessions/acts.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { ActId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { ChecklistItem } from '#server/domain/signing/act/checklist.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type ChangeChecklist = {
  actId: ActId
  items: ChecklistItem[]
  /** The `at` of the list on the screen; null for a suggestion of the program. */
  seenAt: Instant | null
}

/**
 * Makes these items the office's list of the act. Documents that have the list already keep it as it was.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `stale-version` if it changed since `seenAt`
 */
export async function changeChecklist(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { actId, items, seenAt }: ChangeChecklist,
): Promise<void> {
  const at = clock.now()
  const asker = mustBeSignedIn(actor)
  const subject = { kind: 'act', id: actId } as const
  const person = await authorizeOrRecord(db, actor, 'checklists.manage', asker, at, subject)
  const { officeId, userId } = person
  await db.transaction(async (trx) => {
    await lockActs(trx, officeId)
    const act = await findAct(trx, officeId, actId)
    if (!act) throw new Problem('not-found', `no act ${actId}`)
    const current = await findChecklist(trx, officeId, actId)
    const isSame = JSON.stringify(current.items) === JSON.stringify(items)
    // A suggestion that is saved unchanged becomes the office's own.
    if (isSame && current.at !== null) return
    if (current.at !== seenAt) throw new Problem('stale-version', `${actId} is of ${current.at}`)
    await upsertChecklist(trx, { officeId, actId, items, at, by: userId })
    const details = {
      ...{ name: act.name, items: items.length, before: current.items.length },
      texts: items.map(({ text }) => text).join('; '),
    }
    await appendEvent(trx, { actor, at, action: 'act.checklist-changed', subject, details })
  })
}
