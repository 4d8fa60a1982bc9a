import { randomUUID } from 'node:crypto'
import { findYubikey } from '#server/db/yubikeys/yubikeys.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { WebauthnCredential } from '#server/domain/identity/webauthn-credential.ts'
import type { UserId, YubikeyId } from '#server/domain/ids.ts'
import type { Yubikey } from '#server/domain/yubikeys/yubikey.ts'
import { handOverYubikey } from '#server/features/yubikeys/hand-over-yubikey.ts'
import { linkCredential } from '#server/features/yubikeys/link-credential.ts'
import { registerYubikey } from '#server/features/yubikeys/register-yubikey.ts'
import type { System } from '#server/system.ts'

/** A new key of the office, with what the form had typed. */
export const typedKey = (serial: string | null, attestation: readonly Uint8Array[] = []) => ({
  ...{ serial, model: 'YubiKey 5C NFC', firmware: null, formFactor: null, attestation },
  once: randomUUID(),
})

/** Registers a key as the administrator does. */
export async function registeredYubikey(
  system: System,
  administrator: Actor,
  serial: string,
  attestation: readonly Uint8Array[] = [],
): Promise<Yubikey> {
  const outcome = await registerYubikey(system, administrator, typedKey(serial, attestation))
  if (outcome.kind !== 'registered') throw new Error(outcome.kind)
  return await currentYubikey(system, outcome.id)
}

/** The same, handed over, with the holder's credentials linked. */
export async function assignedYubikey(
  system: System,
  administrator: Actor,
  holderId: UserId,
  credentials: readonly Pick<WebauthnCredential, 'id'>[] = [],
  serial = '12345678',
): Promise<Yubikey> {
  const { id } = await registeredYubikey(system, administrator, serial)
  let seenVersion = await handOverYubikey(system, administrator, {
    ...{ yubikeyId: id, seenVersion: 1, holderId },
  })
  for (const credential of credentials) {
    const input = { yubikeyId: id, seenVersion, credentialId: credential.id }
    await linkCredential(system, administrator, { ...input, change: 'link' })
    seenVersion += 1
  }
  return await currentYubikey(system, id)
}

export async function currentYubikey({ db }: Pick<System, 'db'>, id: YubikeyId): Promise<Yubikey> {
  const yubikey = await findYubikey(db, id)
  if (!yubikey) throw new Error(`no YubiKey ${id}`)
  return yubikey
}

/** What a form on the page of this key sends. */
export const seen = ({ id, version }: Pick<Yubikey, 'id' | 'version'>) => ({
  yubikeyId: id,
  seenVersion: version,
})
