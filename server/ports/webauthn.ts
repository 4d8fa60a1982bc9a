import type {
  AssertionAnswer,
  KeyRefusal,
  RegistrationAnswer,
} from '#server/domain/identity/webauthn-answer.ts'
import type { KeyState, WebauthnCredential } from '#server/domain/identity/webauthn-credential.ts'

/** Verifies the answers of security keys. Stateless: challenges and counters are rows. */
export type Webauthn = {
  /** @param challenge the challenge for this key, base64url */
  verifyRegistration(
    answer: RegistrationAnswer,
    challenge: string,
  ): Promise<
    | {
        kind: 'genuine'
        key: KeyState &
          Pick<
            WebauthnCredential,
            | 'credentialId'
            | 'publicKey'
            | 'algorithm'
            | 'transports'
            | 'aaguid'
            | 'userVerification'
          > & { attestation: Uint8Array }
      }
    | { kind: 'refused'; reason: KeyRefusal }
  >
  /** Returns the counter without judging it. */
  verifyAssertion(
    answer: AssertionAnswer,
    expected: {
      challenge: string
      isVerificationRequired: boolean
      key: Pick<WebauthnCredential, 'credentialId' | 'publicKey'>
    },
  ): Promise<{ kind: 'genuine'; seen: KeyState } | { kind: 'refused'; reason: KeyRefusal }>
}
