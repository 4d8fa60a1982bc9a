import { z } from 'zod'

/** `suspended`: the operator stopped its work. What it signed is verified as before. */
const OfficeState = z.enum(['active', 'suspended'])
export type OfficeState = z.infer<typeof OfficeState>
