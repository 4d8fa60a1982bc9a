import { listWebauthnCredentials as listRows } from '#server/db/factors/webauthn-credentials.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { modelOf } from '#server/domain/identity/authenticator-models.ts'
import type { WebauthnCredential } from '#server/domain/identity/webauthn-credential.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** A key as its owner sees it. */
export type ListedKey = WebauthnCredential & {
  /** `YubiKey 5 NFC` */
  model: string
}

/** The caller's keys, including suspect ones, oldest first. @throws {Problem} `not-signed-in` */
export async function listWebauthnCredentials(system: System, actor: Actor): Promise<ListedKey[]> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const { userId } = await authorizeOrRecord(db, actor, 'factors.read-own', own, clock.now())
  const keys = await listRows(db, userId)
  return keys.map((key) => ({ ...key, model: modelOf(key.aaguid) }))
}
