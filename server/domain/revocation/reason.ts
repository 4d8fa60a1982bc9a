import type { DerNode } from '#server/domain/asn1/der.ts'

const REASONS = [
  'unspecified',
  'keyCompromise',
  'cACompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
  undefined,
  'removeFromCRL',
  'privilegeWithdrawn',
  'aACompromise',
] as const

/** Why an authority takes its word back. @see RFC 5280, 5.3.1 */
export type RevocationReason = NonNullable<(typeof REASONS)[number]>

/**
 * Reasons for which an authority gives up a key honestly.
 *
 * @see RFC 3161, 4 (1): what it stamped before stays good
 */
export const HONEST_ENDS: readonly (RevocationReason | null)[] = [
  'superseded',
  'cessationOfOperation',
  'affiliationChanged',
  'unspecified',
]

/** A hold is for the time being: the reason for which the certificate then ended for good replaces it. */
const GRAVEST_FIRST: typeof HONEST_ENDS = [
  'keyCompromise',
  'cACompromise',
  'aACompromise',
  'privilegeWithdrawn',
  'superseded',
  'cessationOfOperation',
  'affiliationChanged',
  'certificateHold',
  'removeFromCRL',
  'unspecified',
]

/** Null if no answer states a reason: an answer without one takes nothing back. */
export const gravestOf = (reasons: readonly (RevocationReason | null)[]): RevocationReason | null =>
  GRAVEST_FIRST.find((reason) => reasons.includes(reason)) ?? null

const ENUMERATED = 0x0a

/** Null for anything that is no CRLReason: the certificate is revoked all the same. */
export function readReason({ tag, content }: DerNode): RevocationReason | null {
  const [number, ...more] = content
  if (tag !== ENUMERATED || number === undefined || more.length > 0) return null
  return REASONS[number] ?? null
}
