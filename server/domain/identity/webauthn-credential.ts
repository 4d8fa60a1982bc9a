import { z } from 'zod'
import { UserId, WebauthnCredentialId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'
import { line } from './text.ts'
import { Base64url } from './webauthn-answer.ts'

/** Whether a copy of the key may exist on another device; a key never changes that. */
const DeviceType = z.enum(['single-device', 'multi-device'])
type DeviceType = z.infer<typeof DeviceType>

/** Whether the credential is backed up now; it changes with the owner's settings. */
const BackupState = z.enum(['backed-up', 'not-backed-up'])
type BackupState = z.infer<typeof BackupState>

/**
 * `suspect`: it counted backwards or became copyable. It opens nothing any more, and stays until its
 * owner removes it.
 */
export const WebauthnCredentialState = z.enum(['active', 'suspect', 'removed'])
export type WebauthnCredentialState = z.infer<typeof WebauthnCredentialState>

/** What people call the key: `YubiKey de la oficina`. */
export const WebauthnCredentialName = line(60)
export type WebauthnCredentialName = z.infer<typeof WebauthnCredentialName>

/** A security key, or the part of a telephone or computer that does the same. */
export const WebauthnCredential = z.object({
  id: WebauthnCredentialId,
  userId: UserId,
  /** As the authenticator named it. */
  credentialId: Base64url,
  /** COSE_Key. */
  publicKey: z.instanceof(Uint8Array),
  /** COSE algorithm of the key. */
  algorithm: z.int(),
  /** The highest that it ever counted; 0 for keys that do not count. */
  counter: z.int().nonnegative(),
  transports: z.array(z.string()),
  /** The model, as the key says; zeros when it does not. */
  aaguid: z.guid(),
  deviceType: DeviceType,
  backup: BackupState,
  /** Whether it asked for a PIN or a fingerprint when it was registered. */
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

/** Whether it is asked for and counts as a second factor. */
export const isUsable = ({ state }: Pick<WebauthnCredential, 'state'>) => state === 'active'

/** What a new key of this model is called beside the others: `YubiKey 5 NFC`, `YubiKey 5 NFC 2` … */
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

/** What a key says of itself each time it is used; true, because it is signed. */
export type KeySighting = {
  readonly counter: number
  readonly deviceType: DeviceType
  readonly backup: BackupState
}

/** Two keys that claim to be one. */
export type KeyAnomaly = 'counter-rewound' | 'device-type-changed'

/**
 * What is wrong with a key that was used, if anything. A key that never counted may go on so; one that did
 * must count further each time, also when another program of the same person used it in between.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-sign-counter
 * @see https://www.w3.org/TR/webauthn-3/#sctn-credential-backup
 */
export function anomalyOf(
  stored: Pick<WebauthnCredential, 'counter' | 'deviceType'>,
  seen: KeySighting,
): KeyAnomaly | undefined {
  if (seen.deviceType !== stored.deviceType) return 'device-type-changed'
  if (stored.counter > 0 && seen.counter <= stored.counter) return 'counter-rewound'
}
