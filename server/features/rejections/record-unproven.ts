import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import type { Guest } from '#server/domain/identity/actor.ts'
import type { RejectionProof } from '#server/domain/signing/session/signer.ts'
import type { Instant } from '#server/domain/time.ts'

/** Logs a rejection that was not proven. @param code why; one of our codes, never user input */
export async function recordUnproven(
  db: Database,
  guest: Guest,
  { proof, code, at }: { proof: RejectionProof; code: string; at: Instant },
): Promise<void> {
  await db.transaction((trx) =>
    appendEvent(trx, {
      actor: guest,
      at,
      action: 'signer.rejection-refused',
      subject: { kind: 'signing-session', id: guest.signingSessionId },
      result: 'refused',
      details: { signer: guest.signerId, link: guest.linkId, proof, code },
    }),
  )
}
