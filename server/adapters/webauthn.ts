import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import {
  type AssertionAnswer,
  type KeyRefusal,
  type RegistrationAnswer,
  readClientData,
} from '#server/domain/identity/webauthn-answer.ts'
import { refusalOfData } from '#server/domain/identity/webauthn-authenticator-data.ts'
import type { KeyState } from '#server/domain/identity/webauthn-credential.ts'
import { ALGORITHMS, rpIdOf } from '#server/domain/identity/webauthn-options.ts'
import type { Webauthn } from '#server/ports/webauthn.ts'

/* Loaded with the first key: it takes 27 MB and a tenth of a second. */
const verifying = () => import('@simplewebauthn/server')
const reading = () => import('@simplewebauthn/server/helpers')

/** COSE_Key, label 3: the algorithm. @see RFC 9052, 7.1 */
const COSE_ALGORITHM = 3

/**
 * Answers of keys, checked by SimpleWebAuthn. What is wrong is looked for first, so that the log can name
 * it; the library then checks everything again, and the signature.
 *
 * @param publicOrigin the only origin whose answers count, whatever a request says of itself
 */
export function createWebauthn(publicOrigin: string): Webauthn {
  const rpId = rpIdOf(publicOrigin)
  const { origin } = new URL(publicOrigin)

  return {
    async verifyRegistration(answer, challenge) {
      const attested = await readAttested(answer)
      if (!attested) return refused('unreadable')
      const refusal =
        refusalOfClientData(answer, { type: 'webauthn.create', challenge, origin }) ??
        refusalOfData(attested.data, { rpId, isVerificationRequired: false })
      if (refusal) return refused(refusal)
      if (!ALGORITHMS.includes(attested.algorithm)) return refused('wrong-algorithm')
      const info = await registered(answer, { challenge, origin, rpId })
      if (!info) return refused('not-genuine')
      return {
        kind: 'genuine',
        key: {
          credentialId: info.credential.id,
          publicKey: info.credential.publicKey,
          algorithm: attested.algorithm,
          transports: answer.response.transports ?? [],
          aaguid: info.aaguid,
          userVerification: info.userVerified ? 'verified' : 'not-verified',
          attestation: info.attestationObject,
          ...keyStateOf(info.credential.counter, info),
        },
      }
    },

    async verifyAssertion(answer, { challenge, isVerificationRequired, key }) {
      const data = Buffer.from(answer.response.authenticatorData, 'base64url')
      const refusal =
        refusalOfClientData(answer, { type: 'webauthn.get', challenge, origin }) ??
        refusalOfData(data, { rpId, isVerificationRequired })
      if (refusal) return refused(refusal)
      const { publicKey, credentialId } = key
      const info = await asserted(answer, {
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: isVerificationRequired,
        // The library refuses a low counter before it checks the signature, so any client could make a key
        // suspect. The caller judges the counter once the signature has proven that it is the key's.
        credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter: 0 },
      })
      if (!info) return refused('not-genuine')
      return { kind: 'genuine', seen: keyStateOf(info.newCounter, info) }
    },
  }
}

/* An answer that cannot be read, and one whose signature is wrong, both throw somewhere inside. */
async function registered(
  answer: RegistrationAnswer,
  expected: { challenge: string; origin: string; rpId: string },
) {
  const { verifyRegistrationResponse } = await verifying()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: toLibrary<RegistrationResponseJSON>(answer),
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return registrationInfo
  } catch {
    return undefined
  }
}

async function asserted(
  answer: AssertionAnswer,
  expected: Omit<Parameters<typeof verifyAuthenticationResponse>[0], 'response'>,
) {
  const { verifyAuthenticationResponse } = await verifying()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      response: toLibrary<AuthenticationResponseJSON>(answer),
    })
    return verified ? authenticationInfo : undefined
  } catch {
    return undefined
  }
}

function refusalOfClientData(
  answer: RegistrationAnswer | AssertionAnswer,
  expected: { type: string; challenge: string; origin: string },
): KeyRefusal | undefined {
  const said = readClientData(answer)
  if (!said || said.type !== expected.type) return 'unreadable'
  if (said.challenge !== expected.challenge) return 'unknown-challenge'
  // Our pages are never framed; the library accepts a frame if the browser does not name its origin.
  const isFramed = said.crossOrigin === true || said.topOrigin !== undefined
  if (said.origin !== expected.origin || isFramed) return 'wrong-origin'
}

async function readAttested({ response }: RegistrationAnswer) {
  const helpers = await reading()
  const { decodeAttestationObject, decodeCredentialPublicKey, parseAuthenticatorData } = helpers
  try {
    const bytes = helpers.isoBase64URL.toBuffer(response.attestationObject)
    const object = decodeAttestationObject(bytes)
    const data = object.get('authData')
    const { credentialPublicKey } = parseAuthenticatorData(data)
    if (!credentialPublicKey) return undefined
    const algorithm = Number(decodeCredentialPublicKey(credentialPublicKey).get(COSE_ALGORITHM))
    return { data, algorithm }
  } catch {
    return undefined
  }
}

type Copies = { credentialDeviceType: 'singleDevice' | 'multiDevice'; credentialBackedUp: boolean }

const keyStateOf = (counter: number, copies: Copies): KeyState => ({
  counter,
  deviceType: copies.credentialDeviceType === 'singleDevice' ? 'single-device' : 'multi-device',
  backup: copies.credentialBackedUp ? 'backed-up' : 'not-backed-up',
})

const refused = (reason: KeyRefusal) => ({ kind: 'refused' as const, reason })

/* Results of extensions are of no use here: none is asked for. */
function toLibrary<T>(answer: RegistrationAnswer | AssertionAnswer): T {
  const { id, rawId, type, response } = answer
  return { id, rawId, type, response, clientExtensionResults: {} } as T
}
