import { z } from 'zod'

/** A user's role in the office; users may have several. */
export const Role = z.enum(['ADMIN', 'NOTARY', 'LAWYER', 'CLERK', 'AUDITOR'])
export type Role = z.infer<typeof Role>
