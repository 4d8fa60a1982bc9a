import type { Office } from '#server/domain/identity/office.ts'
import { Problem } from '#server/domain/problem.ts'
import { completeIncrement, roomIn } from '#server/domain/signing/complete-increment.ts'
import { earliest, type Instant } from '#server/domain/time.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { requestTimestamp, type Stamping } from '#server/steps/signing/request-timestamp.ts'
import type { System } from '#server/system.ts'
import type { GrowingFile } from './grow-file.ts'

/** Bytes reserved for a token with its certificates; the second size is tried when the first is too small. */
const ROOMS = [12_288, 49_152] as const

export type DocumentStamp = {
  /** The office's name for the authority. */
  by: string
  /** The earliest end of a certificate or of an algorithm in its chain. */
  holdsUntil: Instant
}

/**
 * Appends a document timestamp over the whole file.
 *
 * @throws {Problem} `timestamp-unavailable`, `damaged-pdf`
 */
export async function stampFile(
  system: Stamping & Pick<System, 'pdf'>,
  file: GrowingFile,
  office: Pick<Office, 'id'>,
  policy: VerificationPolicy,
): Promise<DocumentStamp> {
  for (const room of ROOMS) {
    const prepared = await file.withFile((local) => system.pdf.prepareDocumentStamp(local, room))
    const outcome = await requestTimestamp(system, office, prepared.digest, policy)
    if (outcome.kind === 'unavailable')
      throw new Problem('timestamp-unavailable', JSON.stringify(outcome.failures))
    const { token, pathEnds, by } = outcome
    if (token.length > roomIn(prepared)) continue
    await file.append(completeIncrement(prepared, token))
    const broken = policy.algorithms?.digests.sha256
    const isDated = typeof broken === 'number'
    return { by, holdsUntil: isDated ? earliest(pathEnds, broken) : pathEnds }
  }
  throw new Problem('timestamp-unavailable', 'the tokens are longer than any room for them')
}
