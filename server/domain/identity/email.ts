import { z } from 'zod'

/** An address in lower case: two people never share one that differs by case alone. */
export const Email = z
  .string()
  .transform((text) => text.normalize('NFKC').trim().toLowerCase())
  .pipe(z.email().max(254))
  .brand<'Email'>()
export type Email = z.infer<typeof Email>
