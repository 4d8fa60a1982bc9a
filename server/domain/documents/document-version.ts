import { z } from 'zod'
import { DocumentId, OfficeId, Sha256, SignerId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/**
 * The cause of a version: an upload, the opening of a session (adds the signature sheet), its end before the
 * first signature (restores the earlier bytes), a signature, or added proofs.
 */
export const VersionCause = z.enum(['uploaded', 'prepared', 'restored', 'signed', 'archived'])
export type VersionCause = z.infer<typeof VersionCause>

/** One immutable version of a document. */
export const DocumentVersion = z.object({
  documentId: DocumentId,
  /** Of the document: names the file together with `sha256`. */
  officeId: OfficeId,
  /** Counts from 1. */
  version: z.int().positive(),
  sha256: Sha256,
  bytes: z.int().positive(),
  pages: z.int().nonnegative(),
  cause: VersionCause,
  /** Null if no user did it: an external signer, a job. */
  by: UserId.nullable(),
  /** The signer of the session; null for other causes and for versions older than sessions. */
  signer: SignerId.nullable(),
  at: Instant,
  /** The uploaded file name, used for downloads. */
  fileName: z.string(),
  /** Number of signatures in the uploaded file; 0 for a version that we made. */
  signaturesBrought: z.int().nonnegative(),
})
export type DocumentVersion = z.infer<typeof DocumentVersion>

/** Whether the version has a signature made here; signatures in the upload do not count. */
export const carriesOwnSignatures = ({ cause }: Pick<DocumentVersion, 'cause'>) =>
  cause === 'signed' || cause === 'archived'
