import { z } from 'zod'
import { Rfc } from '#server/domain/identity/rfc.ts'
import {
  ConsentId,
  DocumentId,
  OfficeId,
  Sha256,
  SignerId,
  SigningSessionId,
  UserId,
} from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

export const ConsentKind = z.enum([
  /** An external signer accepted the aviso de privacidad. */
  'privacy-notice',
  /** A signer lets the public page show the pages of a document. */
  'pictures-given',
  'pictures-withdrawn',
  /** A signer saw what was found in a file that is not green, and signs it all the same. */
  'judgement-seen',
])
export type ConsentKind = z.infer<typeof ConsentKind>

/** What a person said at that time. It never changes: a withdrawal is a record of its own. */
export const ConsentRecord = z.object({
  id: ConsentId,
  officeId: OfficeId,
  kind: ConsentKind,
  /** Name and RFC as of that time. */
  name: z.string(),
  rfc: Rfc,
  /** A user, or else the signer of a session. */
  userId: UserId.nullable(),
  signerId: SignerId.nullable(),
  signingSessionId: SigningSessionId.nullable(),
  documentId: DocumentId.nullable(),
  /** SHA-256 of the aviso that was accepted; null for other kinds. */
  notice: Sha256.nullable(),
  at: Instant,
})
export type ConsentRecord = z.infer<typeof ConsentRecord>
