import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { isProblem, Problem } from '#server/domain/problem.ts'
import { raiseFileAlarm } from '#server/steps/alerts/raise-file-alarm.ts'
import type { System } from '#server/system.ts'

type Stored = { document: Document; version: DocumentVersion }

/**
 * Awaits work on the file of a version. If the file does not match its digest, alerts the administrators, logs
 * it, and names the document in the error.
 *
 * @throws {Problem} `stored-file-damaged`, and the errors of the work
 */
export async function reportDamage<T>(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  { document, version }: Stored,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isProblem(error, 'stored-file-damaged')) throw error
    const at = clock.now()
    await db.transaction(async (trx) => {
      if (!(await raiseFileAlarm(trx, document, version, at))) return
      await appendSystemEvent(trx, {
        by: 'archivo',
        at,
        officeId: document.officeId,
        action: 'document.damaged',
        subject: { kind: 'document', id: document.id },
        result: 'refused',
        details: { version: version.version, sha256: version.sha256 },
      })
    })
    throw new Problem(error.code, error.message, { cause: error, kind: document.folio })
  }
}

/**
 * The same bytes of the file of a version. Damage ends them, as the answer has begun by then, and is reported in the
 * same way.
 */
export function reportingDamage(
  system: Pick<System, 'db' | 'clock'>,
  stored: Stored,
  bytes: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const reader = bytes.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reportDamage(system, stored, reader.read())
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
