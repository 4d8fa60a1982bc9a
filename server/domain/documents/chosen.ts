import { z } from 'zod'
import { DocumentId } from '#server/domain/ids.ts'

/** Most documents that are chosen in a list at once: a page of it. */
export const MOST_CHOSEN = 50

/** Documents that were chosen in a list; each counts once. */
export const ChosenDocuments = z
  .array(DocumentId)
  .min(1)
  .max(MOST_CHOSEN)
  .transform((ids) => [...new Set(ids)])
