import { z } from 'zod'
import { DocumentId } from '#server/domain/ids.ts'
import { MOST_CHOSEN } from './chosen-field.ts'

/** Documents that were chosen in a list; each counts once. */
export const ChosenDocuments = z
  .array(DocumentId)
  .min(1)
  .max(MOST_CHOSEN)
  .transform((ids) => [...new Set(ids)])
