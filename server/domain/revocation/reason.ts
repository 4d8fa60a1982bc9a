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

const ENUMERATED = 0x0a

/** Null for anything that is no CRLReason: the certificate is revoked all the same. */
export function readReason({ tag, content }: DerNode): RevocationReason | null {
  const [number, ...more] = content
  if (tag !== ENUMERATED || number === undefined || more.length > 0) return null
  return REASONS[number] ?? null
}
