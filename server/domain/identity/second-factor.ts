import { z } from 'zod'

/** Authentication methods beside the password. */
export const SecondFactor = z.enum(['TOTP', 'BACKUP_CODE', 'WEBAUTHN'])
export type SecondFactor = z.infer<typeof SecondFactor>

const BY_STRENGTH = ['BACKUP_CODE', 'TOTP', 'WEBAUTHN'] as const satisfies SecondFactor[]

/** The stronger of the two; null is none. */
export function strongerFactor(
  one: SecondFactor | null,
  other: SecondFactor | null,
): SecondFactor | null {
  return BY_STRENGTH.findLast((factor) => factor === one || factor === other) ?? null
}
