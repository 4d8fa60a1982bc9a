import {
  findDocumentStamp,
  type IssuedStamp,
  keepDocumentStamp,
} from '#server/db/documents/document-stamps.ts'
import { concatBytes } from '#server/domain/bytes.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { Problem } from '#server/domain/problem.ts'
import { completeIncrement, roomIn } from '#server/domain/signing/complete-increment.ts'
import { earliest } from '#server/domain/time.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { requestTimestamp, type Stamping } from '#server/steps/signing/request-timestamp.ts'
import type { System } from '#server/system.ts'
import type { Archivable } from './find-archivable.ts'
import type { GrowingFile } from './grow-file.ts'

/** Bytes reserved for a token with its certificates; the second size is tried when the first is too small. */
const ROOMS = [12_288, 49_152] as const

export type DocumentStamp = Pick<IssuedStamp, 'by' | 'holdsUntil'>

/**
 * Appends what an earlier try has appended to this version, up to its document timestamp: a timestamp costs money, and the
 * process may have ended before the file was a version. Undefined, and nothing is appended, if no try came as far.
 */
export async function appendIssuedStamp(
  { db }: Pick<System, 'db'>,
  file: GrowingFile,
  base: DocumentVersion,
): Promise<DocumentStamp | undefined> {
  const issued = await findDocumentStamp(db, base)
  if (issued) await file.append(issued.behind)
  return issued
}

/**
 * Appends a document timestamp over the whole file, and keeps it for the next try until the file is a version. One that is
 * issued in the moment in which the process ends is lost.
 *
 * @throws {Problem} `timestamp-unavailable`, `damaged-pdf`
 */
export async function stampFile(
  system: Stamping & Pick<System, 'pdf'>,
  file: GrowingFile,
  { base, office }: Pick<Archivable, 'base' | 'office'>,
  policy: VerificationPolicy,
): Promise<DocumentStamp> {
  const { db, clock } = system
  for (const room of ROOMS) {
    const prepared = await file.withFile((local) => system.pdf.prepareDocumentStamp(local, room))
    const outcome = await requestTimestamp(system, office, prepared.digest, policy)
    if (outcome.kind === 'unavailable')
      throw new Problem('timestamp-unavailable', JSON.stringify(outcome.failures))
    const { token, pathEnds, by } = outcome
    if (token.length > roomIn(prepared)) continue
    const increment = completeIncrement(prepared, token)
    const broken = policy.algorithms?.digests.sha256
    const isDated = typeof broken === 'number'
    const stamp = { by, holdsUntil: isDated ? earliest(pathEnds, broken) : pathEnds }
    const behind = concatBytes(file.appended(), increment)
    await db.transaction((trx) => keepDocumentStamp(trx, base, { ...stamp, behind }, clock.now()))
    await file.append(increment)
    return stamp
  }
  throw new Problem('timestamp-unavailable', 'the tokens are longer than any room for them')
}
