import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import { lockSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'

/** Locks the session and reads it again: another request may have changed it. */
export async function lockCeremony(trx: Transaction, id: SigningSessionId): Promise<Ceremony> {
  await lockSigningSession(trx, id)
  const ceremony = await findCeremony(trx, id)
  if (!ceremony) throw new Problem('not-found', `no signing session ${id}`)
  return ceremony
}
