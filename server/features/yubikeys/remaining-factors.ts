import { findTotpFactor } from '#server/db/factors/totp-factors.ts'
import { listWebauthnCredentials } from '#server/db/factors/webauthn-credentials.ts'
import type { Reader } from '#server/db/transaction.ts'
import { listYubikeyCredentials } from '#server/db/yubikeys/yubikey-credentials.ts'
import { isUsable } from '#server/domain/identity/webauthn-credential.ts'
import type { UserId, YubikeyId } from '#server/domain/ids.ts'
import type { RemainingFactors } from '#server/domain/yubikeys/credentials-of-a-key.ts'

/** What the holder of a key could still sign in with if its credentials ended. */
export async function findRemainingFactors(
  db: Reader,
  { id, holderId }: { id: YubikeyId; holderId: UserId },
): Promise<RemainingFactors> {
  const linked = new Set(await listYubikeyCredentials(db, id))
  const usable = (await listWebauthnCredentials(db, holderId)).filter(isUsable)
  const totp = await findTotpFactor(db, holderId, 'active')
  const ending = usable.filter((credential) => linked.has(credential.id)).length
  return { ending, others: usable.length - ending + (totp ? 1 : 0) }
}
