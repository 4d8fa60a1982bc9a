import { z } from 'zod'
import { SigningCharacter } from '#server/domain/identity/signing-character.ts'
import { CertificateId, DocumentId, SignatureId, SignerId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/** Where the private key was used: in the page, in the memory of the server, or in a token. */
export const SigningMethod = z.enum(['browser', 'server', 'pkcs11'])
export type SigningMethod = z.infer<typeof SigningMethod>

export const SignatureLevel = z.enum(['B-B', 'B-T', 'B-LT', 'B-LTA'])
export type SignatureLevel = z.infer<typeof SignatureLevel>

/** A signature made here; our own verifier passed it before it was stored. */
export const DocumentSignature = z.object({
  id: SignatureId,
  documentId: DocumentId,
  /** The version that it created. */
  version: z.int().positive(),
  field: z.string(),
  certificateId: CertificateId,
  /** The signer if a user; null for an external signer. */
  userId: UserId.nullable(),
  /** The signer of the session; null for signatures older than sessions. */
  signerId: SignerId.nullable(),
  /** As what they signed; null for those of a release that did not keep it. */
  character: SigningCharacter.nullable(),
  method: SigningMethod,
  level: SignatureLevel,
  signedAt: Instant,
})
export type DocumentSignature = z.infer<typeof DocumentSignature>
