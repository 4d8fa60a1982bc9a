import { randomUUID } from 'node:crypto'
import { findNewestCheckpoint } from '#server/db/audit/audit-checkpoints.ts'
import { appendSystemEventNow } from '#server/db/audit/audit-events.ts'
import { closeLog, findLog, insertLog } from '#server/db/audit/logs.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { FIRST_LOG, type Log, type LogNumber } from '#server/domain/audit/log.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { type Instant, seconds } from '#server/domain/time.ts'
import { type Signing, signNext } from '#server/steps/audit/sign-next.ts'

type Opening = Signing & { by: string; at: Instant }

/**
 * Gives a new office a log of its own. If it is the second office, the first log is closed by a checkpoint, and the first
 * office and the installation go on in logs of their own, too. The first event of each log names the last checkpoint of the
 * first one. Must be the last statement but for events of these logs.
 *
 * @param others the offices that exist
 * @throws {LogMismatch} if the first log does not extend what was signed of it
 */
export async function openLogs(
  trx: Transaction,
  opening: Opening,
  office: OfficeId,
  others: readonly OfficeId[],
): Promise<void> {
  const first = await findLog(trx, FIRST_LOG)
  if (!first) throw new Error('the installation has no log')
  const isAlone = first.closedAt === null
  if (isAlone) await close(trx, opening, first)
  const opened = isAlone
    ? [
        ...others.map((officeId) => ({ officeId, follows: FIRST_LOG })),
        { officeId: office, follows: null },
        { officeId: null, follows: null },
      ]
    : [{ officeId: office, follows: null }]
  // In the order of locks.
  for (const one of opened.toSorted(officesFirst)) await open(trx, opening, first, one)
}

/** Signs all events of the log, which gets no more: its last event locks it until the transaction ends. */
async function close(trx: Transaction, opening: Opening, first: Log): Promise<void> {
  await appendSystemEventNow(trx, {
    ...{ by: opening.by, at: opening.at, officeId: null, action: 'log.closed' },
    ...{ subject: { kind: 'nothing' }, result: 'success', details: {} },
  })
  await closeLog(trx, first.number, opening.at)
  while (await signNext(trx, opening, first, seconds(0)));
}

type NewLog = { officeId: OfficeId | null; follows: LogNumber | null }

async function open(
  trx: Transaction,
  { by, at, settings: { logKeys } }: Opening,
  first: Log,
  { officeId, follows }: NewLog,
): Promise<void> {
  const last = await findNewestCheckpoint(trx, first.number)
  if (!last) throw new Error('the first log was closed without a checkpoint')
  const log = await insertLog(trx, {
    ...{ id: randomUUID(), officeId, follows, openedAt: at, closedAt: null },
  })
  await appendSystemEventNow(trx, {
    ...{ by, at, officeId, action: 'log.opened', result: 'success' },
    subject: officeId ? { kind: 'office', id: officeId } : { kind: 'nothing' },
    details: {
      origin: logKeys(log).verifier.name,
      ...{ after: logKeys(first).verifier.name, size: last.size, root: last.root },
    },
  })
}

function officesFirst({ officeId: one }: NewLog, { officeId: other }: NewLog): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return one < other ? -1 : 1
}
