import { z } from 'zod'
import { DocumentId, Sha256, UserId } from '../ids.ts'
import { Instant } from '../time.ts'

/** The bytes of a document as they stood once; never changed, never deleted. */
export const DocumentVersion = z.object({
  documentId: DocumentId,
  /** Counts from 1. */
  version: z.int().positive(),
  sha256: Sha256,
  bytes: z.int().positive(),
  pages: z.int().nonnegative(),
  cause: z.enum(['uploaded', 'signed']),
  by: UserId,
  at: Instant,
  /** As the person's computer called it, for the download. */
  fileName: z.string(),
  /** Signatures that the uploaded file brought along; 0 for a version that we made. */
  signaturesBrought: z.int().nonnegative(),
})
export type DocumentVersion = z.infer<typeof DocumentVersion>
