import { z } from 'zod'

/** A lower-case address: addresses that differ only in case are the same. */
export const Email = z
  .string()
  .transform((text) => text.normalize('NFKC').trim().toLowerCase())
  .pipe(z.email().max(254))
  .brand<'Email'>()
export type Email = z.infer<typeof Email>

/** The address as its owner recognizes it, and others do not learn it: `b•••@correo.example`. */
export function maskedEmail(email: Email): string {
  const at = email.lastIndexOf('@')
  return `${[...email][0]}•••${email.slice(at)}`
}
