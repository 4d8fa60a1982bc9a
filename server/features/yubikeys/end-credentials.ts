import { endBackupCodesOf } from '#server/db/factors/backup-codes.ts'
import { listHeldFactors } from '#server/db/factors/second-factors.ts'
import { replaceWebauthnCredentialState } from '#server/db/factors/webauthn-credentials.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { endAccessTokensOf } from '#server/db/people/access-tokens.ts'
import { endSessionsOf } from '#server/db/sign-ins/sessions.ts'
import { endSignInsOf } from '#server/db/sign-ins/sign-ins.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  listYubikeyCredentials,
  unlinkYubikeyCredentials,
} from '#server/db/yubikeys/yubikey-credentials.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { WebauthnCredentialId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import {
  type EndOfCredentials,
  endOfCredentials,
} from '#server/domain/yubikeys/credentials-of-a-key.ts'
import type { Yubikey } from '#server/domain/yubikeys/yubikey.ts'
import { findRemainingFactors } from './remaining-factors.ts'

export type EndedCredentials = {
  end: EndOfCredentials
  credentials: number
  sessions: number
}

/**
 * Ends the credentials that a key holds, because its holder has it no longer, and with them the holder's sessions: a finder of
 * the key may have opened one. A holder who reports it keeps the session in which they do. See `EndOfCredentials`.
 */
export async function endCredentialsOf(
  trx: Transaction,
  person: Person,
  { id, holderId }: Pick<Yubikey, 'id' | 'holderId'>,
  at: Instant,
): Promise<EndedCredentials> {
  if (holderId === null) return { end: 'nothing', credentials: 0, sessions: 0 }
  await lockUntilCommit(trx, `factors:${holderId}`)
  const by = person.userId
  const remaining = await findRemainingFactors(trx, { id, holderId })
  const end = endOfCredentials(remaining, by === holderId ? 'holder' : 'administrator')
  const linked = await listYubikeyCredentials(trx, id)
  const to = end === 'blocked' ? 'suspect' : 'removed'
  const credentials = await endAll(trx, linked, to, { at, by })
  await unlinkYubikeyCredentials(trx, id)
  if (end === 'nothing') return { end, credentials: 0, sessions: 0 }
  const { hasSecondFactor } = await listHeldFactors(trx, holderId)
  // Alone, backup codes would be a second password. While the account asks for a second factor they are the way back in.
  if (!hasSecondFactor) await endBackupCodesOf(trx, holderId, at)
  await endSignInsOf(trx, holderId, at)
  if (!hasSecondFactor) await endAccessTokensOf(trx, holderId, at)
  const sessions = await endSessionsOf(trx, holderId, {
    ...{ at, by, reason: 'factors-changed' },
    ...(by === holderId && { except: person.sessionId }),
  })
  return { end, credentials, sessions }
}

/** Credentials that were removed before stay so; a suspect one that ends is removed, or stays suspect. */
async function endAll(
  trx: Transaction,
  ids: readonly WebauthnCredentialId[],
  to: 'suspect' | 'removed',
  made: { at: Instant; by: Person['userId'] },
): Promise<number> {
  const from = to === 'suspect' ? (['active'] as const) : (['active', 'suspect'] as const)
  let ended = 0
  for (const id of ids)
    if (await replaceWebauthnCredentialState(trx, id, from, to, made)) ended += 1
  return ended
}
