import { z } from 'zod'

/** How somebody proves, beside the password, that it is they. */
export const SecondFactor = z.enum(['TOTP', 'BACKUP_CODE', 'WEBAUTHN'])
export type SecondFactor = z.infer<typeof SecondFactor>
