import { z } from 'zod'
import { UserId, WebauthnCredentialId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'
import { line } from './text.ts'
import { Base64url } from './webauthn-answer.ts'

/** Whether the key can be copied to other devices; never changes. */
const DeviceType = z.enum(['single-device', 'multi-device'])
type DeviceType = z.infer<typeof DeviceType>

/** Whether the credential is backed up now; it changes with the owner's settings. */
const BackupState = z.enum(['backed-up', 'not-backed-up'])
type BackupState = z.infer<typeof BackupState>

/** Security keys of one user. */
export const MOST_KEYS = 20

/**
 * `suspect`: its counter went back or it became copyable. It is no longer accepted and stays until its owner
 * removes it.
 */
export const WebauthnCredentialState = z.enum(['active', 'suspect', 'removed'])
export type WebauthnCredentialState = z.infer<typeof WebauthnCredentialState>

/** The user's name for the key: `YubiKey de la oficina`. */
export const WebauthnCredentialName = line(60)
export type WebauthnCredentialName = z.infer<typeof WebauthnCredentialName>

/** A security key, or a platform authenticator. */
export const WebauthnCredential = z.object({
  id: WebauthnCredentialId,
  userId: UserId,
  /** The credential id of the authenticator. */
  credentialId: Base64url,
  /** COSE_Key. */
  publicKey: z.instanceof(Uint8Array),
  /** COSE algorithm of the key. */
  algorithm: z.int(),
  /** The highest counter seen; 0 for keys without one. */
  counter: z.int().nonnegative(),
  transports: z.array(z.string()),
  /** The AAGUID of the model; zeros if unknown. */
  aaguid: z.guid(),
  deviceType: DeviceType,
  backup: BackupState,
  /** Whether it verified its user by PIN or fingerprint at registration. */
  userVerification: z.enum(['verified', 'not-verified']),
  rpId: z.string(),
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
  state: WebauthnCredentialState,
  stateSince: Instant,
  stateBy: UserId.nullable(),
})
export type WebauthnCredential = z.infer<typeof WebauthnCredential>

/** Whether it is accepted as a second factor. */
export const isUsable = ({ state }: Pick<WebauthnCredential, 'state'>) => state === 'active'

/** The default name of a new key: `YubiKey 5 NFC`, `YubiKey 5 NFC 2` … */
export function nameFor(
  model: string,
  others: readonly Pick<WebauthnCredential, 'name'>[],
): string {
  const taken = new Set(others.map(({ name }) => name))
  let number = 1
  let name = model
  while (taken.has(name)) name = `${model} ${++number}`
  return name
}

/** The state that a key reports at each use; signed, so authentic. */
export type KeyState = {
  readonly counter: number
  readonly deviceType: DeviceType
  readonly backup: BackupState
}

/** Signs that a key was cloned. */
export type KeyAnomaly = 'counter-rewound' | 'device-type-changed'

/**
 * The anomaly of a used key, if there is one. A key that never counted may stay at 0; otherwise its counter
 * must increase with each use.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-sign-counter
 * @see https://www.w3.org/TR/webauthn-3/#sctn-credential-backup
 */
export function anomalyOf(
  stored: Pick<WebauthnCredential, 'counter' | 'deviceType'>,
  seen: KeyState,
): KeyAnomaly | undefined {
  if (seen.deviceType !== stored.deviceType) return 'device-type-changed'
  if (stored.counter > 0 && seen.counter <= stored.counter) return 'counter-rewound'
}
