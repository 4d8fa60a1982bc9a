import { z } from 'zod'

/** `changed`: those whose state changed last come first. */
export const DocumentOrder = z.enum(['newest', 'oldest', 'changed', 'title'])
export type DocumentOrder = z.infer<typeof DocumentOrder>

/** The columns of the list of documents that can be left out, in their order on the screen; the title always stands there. */
export const DocumentColumn = z.enum([
  'state',
  'folio',
  'instrument',
  'parties',
  'awaited',
  'kind',
  'author',
  'changed',
  'created',
])
export type DocumentColumn = z.infer<typeof DocumentColumn>
