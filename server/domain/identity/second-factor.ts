import { z } from 'zod'

/** The ways to prove identity beside the password. */
export const SecondFactor = z.enum(['TOTP', 'BACKUP_CODE', 'WEBAUTHN'])
export type SecondFactor = z.infer<typeof SecondFactor>

const BY_STRENGTH = ['BACKUP_CODE', 'TOTP', 'WEBAUTHN'] as const satisfies SecondFactor[]

/** Of the two the one that is harder to steal; null is none at all. */
export function strongerFactor(
  one: SecondFactor | null,
  other: SecondFactor | null,
): SecondFactor | null {
  return BY_STRENGTH.findLast((factor) => factor === one || factor === other) ?? null
}
