import { randomBytes, randomUUID } from 'node:crypto'
import { rpIdOf } from '#server/domain/identity/webauthn-options.ts'
import { DocumentId, OfficeId, PresenceProofId, Sha256, UserId } from '#server/domain/ids.ts'
import {
  canonicalList,
  endOfPresence,
  type PresenceProof,
  presenceChallenge,
  type ShownDocument,
} from '#server/domain/signing/presence.ts'
import type { Instant } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'
import {
  type KeySettings,
  softwareAuthenticator,
} from '#tests/support/keys/software-authenticator.ts'

const aShownDocument = (): ShownDocument => ({
  documentId: DocumentId.parse(randomUUID()),
  sha256: Sha256.parse(randomBytes(32).toString('hex')),
})

/** A proof by a security key that asked for its PIN, as it is stored. */
export function aKeyProof(
  settings: Partial<KeySettings> = {},
  at: Instant = MORNING,
  key = softwareAuthenticator(settings),
): PresenceProof {
  const { origin } = key.settings
  const userId = UserId.parse(randomUUID())
  const list = canonicalList([aShownDocument(), aShownDocument()], userId)
  const nonce = randomBytes(32)
  const challenge = presenceChallenge(nonce, list)
  const counterBefore = key.settings.counter
  const { response, id } = key.assert({ challenge, rpId: rpIdOf('http://localhost:3000') })
  return {
    id: PresenceProofId.parse(randomUUID()),
    officeId: OfficeId.parse(randomUUID()),
    userId,
    list,
    at,
    expiresAt: endOfPresence(at),
    means: {
      method: 'webauthn',
      nonce,
      challenge,
      rpId: 'localhost',
      origin,
      credentialId: id,
      publicKey: key.publicKey,
      counterBefore,
      clientDataJson: Buffer.from(response.clientDataJSON, 'base64url'),
      authenticatorData: Buffer.from(response.authenticatorData, 'base64url'),
      signature: Buffer.from(response.signature, 'base64url'),
    },
  }
}
