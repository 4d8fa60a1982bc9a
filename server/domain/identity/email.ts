import { z } from 'zod'

/** A lower-case address: addresses that differ only in case are the same. */
export const Email = z
  .string()
  .transform((text) => text.normalize('NFKC').trim().toLowerCase())
  .pipe(z.email().max(254))
  .brand<'Email'>()
export type Email = z.infer<typeof Email>
