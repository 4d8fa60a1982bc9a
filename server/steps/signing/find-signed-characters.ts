import { listSignatures } from '#server/db/documents/signatures.ts'
import { findSigners } from '#server/db/signing-sessions/signers.ts'
import type { Reader } from '#server/db/transaction.ts'
import { findCertificates } from '#server/db/trust/certificates.ts'
import type { SigningCharacter } from '#server/domain/identity/signing-character.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { SignatureReport } from '#server/domain/verification/report.ts'

/** As what a signature of the document's file was made here; undefined for one made elsewhere. */
export type SignedCharacters = (
  signature: Pick<SignatureReport, 'field' | 'signer'>,
) => SigningCharacter | undefined

/**
 * As what the signatures of the document were made here, by field and certificate. Undefined also for those of an
 * earlier release made by role or capacity, which was not stored.
 */
export async function findSignedCharacters(
  db: Reader,
  documentId: DocumentId,
): Promise<SignedCharacters> {
  const signatures = await listSignatures(db, documentId)
  const certificates = await findCertificates(
    db,
    signatures.map(({ certificateId }) => certificateId),
  )
  const older = signatures.filter(({ character }) => character === null)
  const signers = await findSigners(
    db,
    older.flatMap(({ signerId }) => signerId ?? []),
  )
  const characters = new Map(
    signatures.flatMap(({ field, character, signerId, certificateId }) => {
      const requested = signerId ? signers.get(signerId)?.character : undefined
      const made = character ?? (requested?.kind === 'declared' ? requested : undefined)
      return made ? [[keyOf(field, certificates.get(certificateId)?.sha256), made] as const] : []
    }),
  )
  return ({ field, signer }) => characters.get(keyOf(field, signer?.sha256))
}

const keyOf = (field: string, certificate: string | undefined) => `${certificate} ${field}`
