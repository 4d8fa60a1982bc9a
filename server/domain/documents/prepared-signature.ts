import { z } from 'zod'
import { SigningCharacter } from '#server/domain/identity/signing-character.ts'
import { DocumentId, PreparedSignatureId, Sha256, SignerId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'
import { SigningMethod } from './document-signature.ts'

const Bytes = z.instanceof(Uint8Array<ArrayBufferLike>)

/**
 * The state between the two halves of a signature. Stored in the database, so that two processes may serve the
 * halves. While open and unexpired it is the lease on the document.
 */
export const PreparedSignature = z.object({
  id: PreparedSignatureId,
  documentId: DocumentId,
  /** The version to sign. */
  version: z.int().positive(),
  /** Its owner if a user; null for an external signer. */
  userId: UserId.nullable(),
  /** Its signer of the session; null for a direct signature. */
  signerId: SignerId.nullable(),
  /** As what they sign, as drawn; null for one prepared by an earlier release, which cannot be completed. */
  character: SigningCharacter.nullable(),
  certificateDer: Bytes,
  baseSha256: Sha256,
  baseLength: z.int().positive(),
  /** The bytes to append to the base. */
  increment: Bytes,
  /** The hex string of /Contents with its brackets, counted from the start of the whole file. */
  contents: z.object({ start: z.int(), end: z.int() }),
  byteRange: z.tuple([z.int(), z.int(), z.int(), z.int()]),
  digest: Bytes,
  /** DER of the SET OF signed attributes: the bytes that the key signs. */
  signedAttributes: Bytes,
  fieldName: z.string(),
  method: SigningMethod,
  createdAt: Instant,
  expiresAt: Instant,
  state: z.enum(['open', 'used', 'dropped']),
  stateSince: Instant,
})
export type PreparedSignature = z.infer<typeof PreparedSignature>
