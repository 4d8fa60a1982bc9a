import { DerError, type DerNode } from '#server/domain/asn1/der.ts'
import { expectTag } from '#server/domain/asn1/der-values.ts'

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

/** @throws {DerError} if it is no CRLReason */
export function readReason(node: DerNode | undefined): RevocationReason {
  const { content } = expectTag(node, ENUMERATED)
  const reason = content.length === 1 ? REASONS[content[0] ?? 7] : undefined
  if (!reason) throw new DerError('bad-value', 'no reason of revocation')
  return reason
}
