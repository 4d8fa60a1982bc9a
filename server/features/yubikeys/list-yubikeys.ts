import { z } from 'zod'
import { findUsers, listUsers } from '#server/db/people/users.ts'
import type { Reader } from '#server/db/transaction.ts'
import { listYubikeys as listRows, listYubikeysOf } from '#server/db/yubikeys/yubikeys.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { searchable } from '#server/domain/identity/text.ts'
import type { UserId } from '#server/domain/ids.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { type Yubikey, YubikeySerial, YubikeyState } from '#server/domain/yubikeys/yubikey.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

const PAGE = 50

export const ListYubikeys = z.object({
  /** The first digits of a serial number, or words of the holder's name. */
  text: z.string().trim().max(200).optional(),
  state: YubikeyState.optional(),
  /** The `next` of the previous page. */
  behind: YubikeySerial.optional(),
})
export type ListYubikeys = z.infer<typeof ListYubikeys>

export type ListedYubikey = Yubikey & {
  /** Null for a key without a holder. */
  holder: string | null
}

export type YubikeyPage = {
  /** In the order of their serial numbers. */
  yubikeys: ListedYubikey[]
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
  /** `own`: only those that the reader has. */
  reach: 'office' | 'own'
}

/**
 * A page of the office's keys; a reader who may not see all sees their own.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listYubikeys(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { text = '', state, behind }: ListYubikeys = {},
): Promise<YubikeyPage> {
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'yubikeys.read-own', own, clock.now())
  const reach = isAllowed(person.roles, 'yubikeys.read') ? 'office' : 'own'
  const asked = { officeId: person.officeId, state, behind, limit: PAGE + 1 }
  const isSerial = /^\d*$/.test(text)
  const found =
    reach === 'office' && isSerial
      ? await listRows(db, { ...asked, digits: text.slice(0, 12) })
      : await listYubikeysOf(db, await holdersFor(db, person, reach, isSerial ? '' : text), asked)
  const shown = found.slice(0, PAGE)
  return {
    yubikeys: await withHolders(db, shown),
    next: found.length > PAGE ? shown.at(-1)?.serial : undefined,
    reach,
  }
}

/** Whose keys are asked for: the reader's own, or those of colleagues whose names have all of the words. */
async function holdersFor(
  db: Reader,
  { userId, officeId }: Person,
  reach: YubikeyPage['reach'],
  text: string,
): Promise<UserId[]> {
  if (reach === 'own') return [userId]
  const words = searchable(text).split(/\s+/).filter(Boolean)
  const users = await listUsers(db, officeId)
  return users
    .filter((user) => words.every((word) => searchable(fullName(user)).includes(word)))
    .map(({ id }) => id)
}

async function withHolders(db: Reader, yubikeys: readonly Yubikey[]): Promise<ListedYubikey[]> {
  const users = await findUsers(db, new Set(yubikeys.flatMap(({ holderId }) => holderId ?? [])))
  return yubikeys.map((yubikey) => {
    const user = yubikey.holderId && users.get(yubikey.holderId)
    return { ...yubikey, holder: user ? fullName(user) : null }
  })
}
