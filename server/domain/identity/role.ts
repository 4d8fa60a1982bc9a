import { z } from 'zod'

/** What a person does in the office; one person may hold several. */
export const Role = z.enum(['ADMIN', 'NOTARY', 'LAWYER', 'CLERK', 'AUDITOR'])
export type Role = z.infer<typeof Role>
