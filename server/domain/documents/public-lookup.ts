import { z } from 'zod'
import { UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/** Whether the public finds a document by its id, code or file. */
export const PublicLookup = z.object({
  state: z.enum(['on', 'off']),
  since: Instant,
  /** The notary who decided; null while kind and act decide. */
  by: UserId.nullable(),
})
export type PublicLookup = z.infer<typeof PublicLookup>
