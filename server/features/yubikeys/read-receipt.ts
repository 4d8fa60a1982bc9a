import { z } from 'zod'
import { findOffice } from '#server/db/people/offices.ts'
import { findUsers } from '#server/db/people/users.ts'
import { findYubikeyChange } from '#server/db/yubikeys/yubikey-changes.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { YubikeyId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Yubikey } from '#server/domain/yubikeys/yubikey.ts'
import type { System } from '#server/system.ts'
import { findYubikeyFor } from './find-yubikey.ts'

export const ReadReceipt = z.object({
  yubikeyId: YubikeyId,
  /** The version that the handover made. */
  version: z.coerce.number().int().positive(),
})
export type ReadReceipt = z.infer<typeof ReadReceipt>

export type Receipt = {
  office: Pick<Office, 'name' | 'municipality' | 'entity' | 'timeZone'>
  yubikey: Pick<Yubikey, 'id' | 'serial' | 'model' | 'firmware' | 'formFactor'>
  holder: { name: string; rfc: string }
  handedOverBy: string
  at: Instant
}

/**
 * What the receipt of a handover says; past ones too.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` if this version was no handover
 */
export async function readReceipt(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { yubikeyId, version }: ReadReceipt,
): Promise<Receipt> {
  const { db, clock } = system
  const of = { own: 'yubikeys.read-own', any: 'yubikeys.read' } as const
  const { yubikey } = await findYubikeyFor(system, actor, yubikeyId, of, clock.now())
  const change = await findYubikeyChange(db, yubikeyId, version)
  if (change?.kind !== 'handed-over' || change.holderId === null)
    throw new Problem('not-found', `version ${version} of ${yubikeyId} is no handover`)
  const office = await findOffice(db, yubikey.officeId)
  const users = await findUsers(db, new Set([change.by, change.holderId]))
  const [by, holder] = [users.get(change.by), users.get(change.holderId)]
  if (!office || !by || !holder) throw new Error('a handover without office, giver or taker')
  return {
    office,
    yubikey,
    holder: { name: fullName(holder), rfc: holder.rfc },
    handedOverBy: fullName(by),
    at: change.at,
  }
}
