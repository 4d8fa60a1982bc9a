import { z } from 'zod'
import { Base64url } from './webauthn-answer.ts'
import { CHALLENGE_LIFE } from './webauthn-challenge.ts'
import type { WebauthnCredential } from './webauthn-credential.ts'

/**
 * Allowed COSE algorithms, preferred first: EdDSA, ES256, RS256. A closed list: a key that only some runtimes
 * can verify would lock its owner out.
 *
 * @see https://www.iana.org/assignments/cose/cose.xhtml#algorithms
 */
export const ALGORITHMS = [-8, -7, -257]

const KeyDescriptor = z.strictObject({
  type: z.literal('public-key'),
  id: Base64url,
  transports: z.array(z.string()).optional(),
})

/**
 * The options of `navigator.credentials.create`.
 *
 * @see https://www.w3.org/TR/webauthn-3/#dictdef-publickeycredentialcreationoptionsjson
 */
export const RegistrationOptions = z.strictObject({
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: Base64url, name: z.string(), displayName: z.string() }),
  challenge: Base64url,
  pubKeyCredParams: z.array(z.strictObject({ type: z.literal('public-key'), alg: z.int() })),
  /** In milliseconds. */
  timeout: z.int(),
  excludeCredentials: z.array(KeyDescriptor),
  authenticatorSelection: z.strictObject({
    residentKey: z.literal('discouraged'),
    requireResidentKey: z.literal(false),
    userVerification: z.literal('preferred'),
  }),
  attestation: z.literal('direct'),
})
export type RegistrationOptions = z.infer<typeof RegistrationOptions>

/**
 * The options of `navigator.credentials.get`.
 *
 * @see https://www.w3.org/TR/webauthn-3/#dictdef-publickeycredentialrequestoptionsjson
 */
export const AssertionOptions = z.strictObject({
  challenge: Base64url,
  /** In milliseconds. */
  timeout: z.int(),
  rpId: z.string(),
  allowCredentials: z.array(KeyDescriptor),
  userVerification: z.enum(['discouraged', 'required']),
})
export type AssertionOptions = z.infer<typeof AssertionOptions>

type Keys = readonly Pick<WebauthnCredential, 'credentialId' | 'transports'>[]

/** The relying party id: keys answer only to it. */
export const rpIdOf = (publicOrigin: string) => new URL(publicOrigin).hostname

/**
 * Options to register a key.
 *
 * Requests attestation because browsers otherwise hide the model. Prefers a PIN without requiring it: a key
 * without one is still a second factor.
 *
 * @param registered the user's keys, which must not be registered again
 */
export function registrationOptions(asked: {
  publicOrigin: string
  officeName: string
  user: { id: string; name: string; displayName: string }
  challenge: string
  registered: Keys
}): RegistrationOptions {
  const { id, name, displayName } = asked.user
  return {
    rp: { id: rpIdOf(asked.publicOrigin), name: asked.officeName },
    user: { id: userHandleOf(id), name, displayName },
    challenge: asked.challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_LIFE,
    excludeCredentials: asked.registered.map(descriptorOf),
    authenticatorSelection: {
      residentKey: 'discouraged',
      requireResidentKey: false,
      userVerification: 'preferred',
    },
    attestation: 'direct',
  }
}

/**
 * Options for an answer of one of these keys.
 *
 * @param verification `required`: the key verifies its user by PIN or fingerprint; `discouraged`: not needed
 *   right after a password
 */
export function assertionOptions(asked: {
  publicOrigin: string
  challenge: string
  keys: Keys
  verification: 'discouraged' | 'required'
}): AssertionOptions {
  return {
    challenge: asked.challenge,
    timeout: CHALLENGE_LIFE,
    rpId: rpIdOf(asked.publicOrigin),
    allowCredentials: asked.keys.map(descriptorOf),
    userVerification: asked.verification,
  }
}

/** The user handle: the user id, which reveals nothing, in base64url. */
export const userHandleOf = (userId: string) => Buffer.from(userId).toString('base64url')

const descriptorOf = ({ credentialId, transports }: Keys[number]) => ({
  type: 'public-key' as const,
  id: credentialId,
  ...(transports.length > 0 && { transports }),
})
