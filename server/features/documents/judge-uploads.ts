import {
  delayJudgement,
  listUnjudged,
  waitsForJudgement,
} from '#server/db/documents/upload-judgements.ts'
import { isProblem } from '#server/domain/problem.ts'
import { after, minutes } from '#server/domain/time.ts'
import { judgeUpload, uploadedVersionOf } from '#server/steps/judgements/judge-upload.ts'
import type { System } from '#server/system.ts'

/** As many as are judged in one run; the others wait for the next. */
const MOST_AT_ONCE = 50

/** After a fault; meanwhile the others are judged. */
const NEXT_TRY = minutes(5)

/**
 * Judges the uploaded files that wait for it, newest first and one after the other, behind the work that persons
 * wait for. Safe to run in two processes at once: both get the same judgement.
 *
 * @returns how many were judged
 * @throws {AggregateError} at the end, if some files could not be read
 */
export async function judgeUploads(system: System, stopping?: AbortSignal): Promise<number> {
  const { db, clock } = system
  let judged = 0
  const faults: unknown[] = []
  for (const documentId of await listUnjudged(db, clock.now(), MOST_AT_ONCE)) {
    if (stopping?.aborted) break
    // Cancelled or judged since the list was made.
    if (!(await waitsForJudgement(db, documentId))) continue
    try {
      await judgeUpload(system, await uploadedVersionOf(system, documentId), { isPatient: true })
      judged += 1
    } catch (error) {
      // The workers are busy: the next run goes on.
      if (isProblem(error, 'too-many-attempts')) break
      faults.push(error)
      const nextTry = after(clock.now(), NEXT_TRY)
      await db.transaction((trx) => delayJudgement(trx, documentId, nextTry))
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'some uploads cannot be judged')
  return judged
}
