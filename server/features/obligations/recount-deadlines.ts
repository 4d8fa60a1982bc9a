import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { findDocuments } from '#server/db/documents/documents.ts'
import {
  endRecount,
  listRecounts,
  listSessionActs,
  type Recount,
  replaceRecount,
} from '#server/db/obligations/deadline-marks.ts'
import { listToRecount, replaceDeadline } from '#server/db/obligations/deadlines.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Day } from '#server/domain/day.ts'
import type { Deadline } from '#server/domain/obligations/deadline.ts'
import { firstNoticeOn } from '#server/domain/obligations/notices.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { resolveUnneeded } from './resolve-unneeded.ts'
import { dueDayBy, termsOfOffice } from './terms-of-office.ts'

const AT_ONCE = 50

/**
 * Counts the deadlines of each office whose terms or non-working days changed again, in steps: a crash repeats the last step, and a
 * further change starts anew. What was done, or said not to apply, stays.
 *
 * @param stopping ends the run after the current step
 */
export async function recountDeadlines(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  stopping?: AbortSignal,
): Promise<void> {
  for (const first of await listRecounts(db)) {
    let recount: Recount | undefined = first
    while (recount && !stopping?.aborted) {
      const seen: Recount = recount
      recount = await db.transaction((trx) => recountSome(trx, seen, clock.now()))
      await turn()
    }
  }
}

/** @returns where to go on; undefined if all are counted, or another process counts */
async function recountSome(
  trx: Transaction,
  seen: Recount,
  at: Instant,
): Promise<Recount | undefined> {
  const { officeId, state, behind } = seen
  const some = await listToRecount(trx, { officeId, state, behind, limit: AT_ONCE })
  const moved = seen.moved + (await countAgain(trx, seen, some, at))
  const last = some.at(-1)
  if (last && some.length === AT_ONCE)
    return await goOn(trx, seen, { state, behind: last.id, moved })
  // Those that were withdrawn may be back.
  if (state === 'open') return await goOn(trx, seen, { state: 'withdrawn', behind: '', moved })
  if ((await endRecount(trx, seen)) && moved > 0)
    await appendSystemEvent(trx, {
      ...{ by: 'obligaciones', at, officeId, action: 'obligation.recounted', result: 'success' },
      ...{ subject: { kind: 'office', id: officeId }, details: { moved } },
    })
  return undefined
}

async function goOn(
  trx: Transaction,
  seen: Recount,
  next: Pick<Recount, 'state' | 'behind' | 'moved'>,
): Promise<Recount | undefined> {
  return (await replaceRecount(trx, seen, next)) ? { ...seen, ...next } : undefined
}

/** @returns how many changed */
async function countAgain(
  trx: Transaction,
  { officeId }: Recount,
  some: readonly Deadline[],
  at: Instant,
): Promise<number> {
  const terms = await termsOfOffice(trx, officeId)
  if (!terms) return 0
  const ids = some.flatMap(({ about }) => (about.kind === 'document' ? [about.documentId] : []))
  const documents = await findDocuments(trx, ids)
  const sessionActs = await listSessionActs(trx, ids)
  let moved = 0
  for (const deadline of some) {
    const document =
      deadline.about.kind === 'document' ? documents.get(deadline.about.documentId) : undefined
    const counted = document && { document, sessionActs: sessionActs.get(document.id) ?? [] }
    const next = countedAgain(deadline, dueDayBy(terms, deadline, counted), at)
    if (!next || !(await replaceDeadline(trx, deadline, next))) continue
    moved += 1
    await resolveUnneeded(trx, deadline, { at, by: null })
  }
  return moved
}

/** Undefined if nothing changes. */
function countedAgain(deadline: Deadline, dueOn: Day | null, at: Instant): Deadline | undefined {
  const since = { stateSince: at, stateBy: null, alert: null }
  if (dueOn === null)
    return deadline.state === 'withdrawn'
      ? undefined
      : { ...deadline, ...since, state: 'withdrawn', noticeOn: null }
  if (deadline.state === 'open' && deadline.dueOn === dueOn) return undefined
  return { ...deadline, ...since, state: 'open', dueOn, noticeOn: firstNoticeOn(dueOn) }
}

/** Lets requests run between two transactions of SQLite. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
