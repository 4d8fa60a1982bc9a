import type { Sha256 } from '#server/domain/ids.ts'
import type { AttestationReading } from './attestation-reading.ts'

type Read = Pick<Extract<AttestationReading, { kind: 'read' }>, 'verdict' | 'key' | 'facts'>

/**
 * What the attestations of a device prove about the private key of a certificate.
 *
 * - `made-inside`: the device made it, and it cannot leave.
 * - `unproven`: one names it, but its maker does not stand behind that.
 * - `not-attested`: none names it. It may have been imported, and then copies may exist.
 */
export type KeyOrigin =
  | { kind: 'made-inside' | 'unproven'; slot: string }
  | { kind: 'not-attested' }

/** @param key SHA-256 of the SubjectPublicKeyInfo of the certificate */
export function keyOriginOf(key: Sha256, attestations: readonly Read[]): KeyOrigin {
  const naming = attestations.filter((attestation) => attestation.key.sha256 === key)
  const best = naming.find(({ verdict }) => verdict.kind === 'proven') ?? naming[0]
  if (!best) return { kind: 'not-attested' }
  const kind = best.verdict.kind === 'proven' ? 'made-inside' : 'unproven'
  return { kind, slot: best.facts.slot }
}
