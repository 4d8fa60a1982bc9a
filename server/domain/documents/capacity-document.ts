import { z } from 'zod'
import { line } from '#server/domain/identity/text.ts'
import { Capacity } from '#server/domain/identity/user.ts'
import { CapacityDocumentId, OfficeId, Sha256, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'
import { FileName } from './file-name.ts'

/** In bytes: an appointment or an agreement of a few pages. */
export const CAPACITY_DOCUMENT_LIMIT = 25 * 1024 * 1024

/** Of one user. */
export const MOST_CAPACITY_DOCUMENTS = 50

/**
 * A PDF that supports the capacity of a notary: an appointment, a license, an agreement to substitute. Kept for ever, with the
 * capacity as it was recorded when the file came.
 */
export const CapacityDocument = z.object({
  id: CapacityDocumentId,
  officeId: OfficeId,
  userId: UserId,
  capacity: Capacity,
  capacityOf: line(200).nullable(),
  capacityFrom: Instant.nullable(),
  capacityTo: Instant.nullable(),
  sha256: Sha256,
  bytes: z.int().positive(),
  fileName: FileName,
  addedAt: Instant,
  addedBy: UserId,
})
export type CapacityDocument = z.infer<typeof CapacityDocument>
