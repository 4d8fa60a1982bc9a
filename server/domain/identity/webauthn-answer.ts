import { z } from 'zod'

/** Without padding. */
export const Base64url = z.string().regex(/^[A-Za-z0-9_-]+$/)

const text = (longest: number) => Base64url.max(longest)

/** A credential id has at most 1023 bytes. */
const KeyName = text(1364)
const ClientData = text(8192)

const Answer = z.object({
  id: KeyName,
  rawId: KeyName,
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
  clientExtensionResults: z.record(z.string(), z.unknown()).optional(),
})

/**
 * The browser's response to `navigator.credentials.create`, as `toJSON()` writes it, without members that
 * repeat the attestation.
 *
 * @see https://www.w3.org/TR/webauthn-3/#dictdef-registrationresponsejson
 */
export const RegistrationAnswer = Answer.extend({
  response: z.object({
    clientDataJSON: ClientData,
    attestationObject: text(65_536),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/))
      .max(10)
      .optional(),
  }),
})
export type RegistrationAnswer = z.infer<typeof RegistrationAnswer>

/**
 * The browser's response to `navigator.credentials.get`.
 *
 * @see https://www.w3.org/TR/webauthn-3/#dictdef-authenticationresponsejson
 */
export const AssertionAnswer = Answer.extend({
  response: z.object({
    clientDataJSON: ClientData,
    authenticatorData: text(8192),
    signature: text(4096),
    userHandle: text(128).nullish(),
  }),
})
export type AssertionAnswer = z.infer<typeof AssertionAnswer>

/** Claims of the browser, not the key; the key signs their hash. */
const CollectedClientData = z.object({
  type: z.string(),
  challenge: Base64url,
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.string().optional(),
})
export type CollectedClientData = z.infer<typeof CollectedClientData>

/** Parses the client data; undefined if it is invalid. */
export function readClientData(answer: {
  readonly response: { readonly clientDataJSON: string }
}): CollectedClientData | undefined {
  try {
    const bytes = Buffer.from(answer.response.clientDataJSON, 'base64url')
    const json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return CollectedClientData.safeParse(json).data
  } catch {
    return undefined
  }
}

/** Why an answer is refused; logged, while the browser gets one sentence for all. */
export type KeyRefusal =
  | 'unreadable'
  /** Never issued, or issued to another user or for another purpose. */
  | 'unknown-challenge'
  | 'used-challenge'
  | 'expired-challenge'
  | 'unknown-key'
  | 'removed-key'
  | 'suspect-key'
  | 'other-person'
  | 'already-registered'
  | 'wrong-origin'
  | 'wrong-relying-party'
  | 'user-not-present'
  | 'user-not-verified'
  | 'wrong-algorithm'
  /** The signature, the attestation or its encoding is invalid. */
  | 'not-genuine'
  | 'counter-rewound'
  | 'device-type-changed'
