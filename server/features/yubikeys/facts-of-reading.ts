import type { AuditEvent } from '#server/domain/audit/event.ts'
import type { AttestationReading } from '#server/domain/yubikeys/attestation-reading.ts'

/** What the log keeps of an attestation. */
export const factsOfReading = ({
  facts,
  verdict,
  sha256,
}: Extract<AttestationReading, { kind: 'read' }>): AuditEvent['details'] => ({
  slot: facts.slot,
  sha256,
  verdict: verdict.kind,
})
