import { listSignatures } from '#server/db/documents/signatures.ts'
import type { Reader } from '#server/db/transaction.ts'
import { findCertificates } from '#server/db/trust/certificates.ts'
import { Problem } from '#server/domain/problem.ts'
import type { SessionDocument } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'

/**
 * Checks that the person did not sign one of the complete documents before.
 *
 * @throws {Problem} `signer-signed-before`
 */
export async function mustNotHaveSigned(
  db: Reader,
  { rfc, name }: Pick<Signer, 'rfc' | 'name'>,
  documents: readonly SessionDocument[],
): Promise<void> {
  for (const { id, completedVersion } of documents) {
    if (completedVersion === null) continue
    const signatures = await listSignatures(db, id)
    const certificates = await findCertificates(
      db,
      signatures.map(({ certificateId }) => certificateId),
    )
    if ([...certificates.values()].some((certificate) => certificate.rfc === rfc))
      throw new Problem('signer-signed-before', `${name} signed ${id} before`)
  }
}
