import { z } from 'zod'
import { DocumentId, Sha256, SignerId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/**
 * Where the bytes come from: a user uploaded them, a session was opened (with the signature sheet) or ended before
 * the first signature (the bytes as they were), a signer signed, or proofs were added.
 */
export const VersionCause = z.enum(['uploaded', 'prepared', 'restored', 'signed', 'archived'])
export type VersionCause = z.infer<typeof VersionCause>

/** The bytes of a document as they stood once; never changed, never deleted. */
export const DocumentVersion = z.object({
  documentId: DocumentId,
  /** Counts from 1. */
  version: z.int().positive(),
  sha256: Sha256,
  bytes: z.int().positive(),
  pages: z.int().nonnegative(),
  cause: VersionCause,
  /** Null for what no user did: an external signer, the clock. */
  by: UserId.nullable(),
  /** Who signed, of the session that it was signed in; null for other causes, and of before there were sessions. */
  signer: SignerId.nullable(),
  at: Instant,
  /** As the person's computer called it, for the download. */
  fileName: z.string(),
  /** Signatures that the uploaded file brought along; 0 for a version that we made. */
  signaturesBrought: z.int().nonnegative(),
})
export type DocumentVersion = z.infer<typeof DocumentVersion>

/** Whether the version holds a signature made here; signatures that the uploaded file had do not count. */
export const carriesOwnSignatures = ({ cause }: Pick<DocumentVersion, 'cause'>) =>
  cause === 'signed' || cause === 'archived'
