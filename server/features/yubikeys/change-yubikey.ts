import { lockUntilCommit } from '#server/db/lock.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { findYubikeyChange, insertYubikeyChange } from '#server/db/yubikeys/yubikey-changes.ts'
import { findYubikey, replaceYubikey } from '#server/db/yubikeys/yubikeys.ts'
import type { YubikeyId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Yubikey, YubikeyChange } from '#server/domain/yubikeys/yubikey.ts'

/** What a form was about: the key, as the page showed it. */
export type SeenYubikey = {
  yubikeyId: YubikeyId
  /** The version on the screen. */
  seenVersion: number
}

type Made = Pick<YubikeyChange, 'kind' | 'by' | 'holderId' | 'note'>

/**
 * The key as it is now, behind a lock. Undefined if this very change was made already: a second click, or a form whose answer was
 * lost.
 *
 * @throws {Problem} `yubikey-changed` if it is no longer as the page showed it
 */
export async function beginChange(
  trx: Transaction,
  { yubikeyId, seenVersion }: SeenYubikey,
  made: Made,
): Promise<Yubikey | undefined> {
  await lockUntilCommit(trx, `yubikey:${yubikeyId}`)
  const yubikey = await findYubikey(trx, yubikeyId)
  if (!yubikey) throw new Problem('not-found', `no YubiKey ${yubikeyId}`)
  if (yubikey.version === seenVersion) return yubikey
  const next = await findYubikeyChange(trx, yubikeyId, seenVersion + 1)
  const isMade =
    yubikey.version === seenVersion + 1 &&
    next?.kind === made.kind &&
    next.by === made.by &&
    next.holderId === made.holderId &&
    next.note === made.note
  if (isMade) return undefined
  throw new Problem('yubikey-changed', `${yubikeyId} is at ${yubikey.version}, not ${seenVersion}`)
}

/** Stores the next version of a key with what made it. @throws {Problem} `yubikey-changed` */
export async function commitChange(
  trx: Transaction,
  next: Yubikey,
  made: Made & Pick<YubikeyChange, 'at'>,
): Promise<void> {
  if (!(await replaceYubikey(trx, next)))
    throw new Problem('yubikey-changed', `${next.id} moved on from ${next.version - 1}`)
  await insertYubikeyChange(trx, { ...made, yubikeyId: next.id, version: next.version })
}
