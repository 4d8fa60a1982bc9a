import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type {
  AssertionAnswer,
  RegistrationAnswer,
} from '#server/domain/identity/webauthn-answer.ts'
import type {
  AssertionOptions,
  RegistrationOptions,
} from '#server/domain/identity/webauthn-options.ts'

/** COSE algorithms of the authenticator. We do not accept -35 (ES384). */
export type Algorithm = -7 | -8 | -257 | -35

export type KeySettings = {
  algorithm: Algorithm
  attestation: 'none' | 'packed-self' | 'packed-forged'
  aaguid: string
  /** Signature counter; grows with each use unless it is 0. */
  counter: number
  isPresent: boolean
  isVerified: boolean
  isCopyable: boolean
  isCopied: boolean
  /** Of the page in which the browser believes to be. */
  origin: string
  /** The relying party id; that of the options if absent. */
  rpId?: string
  /** Further members of the client data. */
  clientData?: Record<string, unknown>
  /** The user handle of the answers; none if absent. */
  userHandle?: string
}

const PLAIN: KeySettings = {
  algorithm: -7,
  attestation: 'none',
  aaguid: '2fc0579f-8113-47ea-b116-bb5a8db9202a',
  counter: 1,
  isPresent: true,
  isVerified: true,
  isCopyable: false,
  isCopied: false,
  origin: 'http://localhost:3000',
}

const FLAGS = { present: 1, verified: 4, copyable: 8, copied: 16, attested: 64 }

/**
 * A security key in memory: it signs whatever it is asked, with the counter and flags that the test sets.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data
 */
export function softwareAuthenticator(changes: Partial<KeySettings> = {}) {
  const settings = { ...PLAIN, ...changes }
  const id = randomBytes(32)
  const { publicKey, privateKey } = keyPair(settings.algorithm)

  function authenticatorData(rpId: string, attested?: Uint8Array): Buffer {
    const { isPresent, isVerified, isCopyable, isCopied } = settings
    const flags =
      (isPresent ? FLAGS.present : 0) |
      (isVerified ? FLAGS.verified : 0) |
      (isCopyable ? FLAGS.copyable : 0) |
      (isCopied ? FLAGS.copied : 0) |
      (attested ? FLAGS.attested : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(settings.counter)
    const head = [hash(settings.rpId ?? rpId), Buffer.from([flags]), counter]
    return Buffer.concat([...head, attested ?? Buffer.alloc(0)])
  }

  function clientData(type: string, challenge: string): Buffer {
    const { origin, clientData: more } = settings
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...more }))
  }

  function attestedData(): Buffer {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const aaguid = Buffer.from(settings.aaguid.replaceAll('-', ''), 'hex')
    return Buffer.concat([aaguid, length, id, coseKey(publicKey, settings.algorithm)])
  }

  const named = { id: base64url(id), rawId: base64url(id), type: 'public-key' as const }

  return {
    settings,
    credentialId: named.id,
    /** COSE_Key. */
    publicKey: coseKey(publicKey, settings.algorithm),

    /** The browser's answer after `navigator.credentials.create`. */
    register(options: RegistrationOptions): RegistrationAnswer {
      const data = authenticatorData(options.rp.id, attestedData())
      const client = clientData('webauthn.create', options.challenge)
      const statement = new Map<string, number | Uint8Array>()
      if (settings.attestation !== 'none') {
        const over = settings.attestation === 'packed-self' ? hash(client) : hash('something else')
        statement.set('alg', settings.algorithm)
        statement.set('sig', signed(Buffer.concat([data, over]), privateKey, settings.algorithm))
      }
      const object = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', settings.attestation === 'none' ? 'none' : 'packed'],
          ['attStmt', statement],
          ['authData', Uint8Array.from(data)],
        ]) as Parameters<typeof isoCBOR.encode>[0],
      )
      return {
        ...named,
        response: {
          clientDataJSON: base64url(client),
          attestationObject: base64url(object),
          transports: ['usb', 'nfc'],
        },
      }
    },

    /** The browser's answer after `navigator.credentials.get`. */
    assert(options: Pick<AssertionOptions, 'challenge' | 'rpId'>): AssertionAnswer {
      if (settings.counter > 0) settings.counter += 1
      const data = authenticatorData(options.rpId)
      const client = clientData('webauthn.get', options.challenge)
      const signature = signed(Buffer.concat([data, hash(client)]), privateKey, settings.algorithm)
      return {
        ...named,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          ...(settings.userHandle && { userHandle: settings.userHandle }),
        },
      }
    },
  }
}

export type SoftwareAuthenticator = ReturnType<typeof softwareAuthenticator>

function keyPair(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  switch (algorithm) {
    case -7:
      return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    case -35:
      return generateKeyPairSync('ec', { namedCurve: 'P-384' })
    case -8:
      return generateKeyPairSync('ed25519')
    case -257:
      return generateKeyPairSync('rsa', { modulusLength: 2048 })
  }
}

/* WebAuthn encodes elliptic curve signatures as DER. */
function signed(data: Uint8Array, key: KeyObject, algorithm: Algorithm): Uint8Array<ArrayBuffer> {
  const digest = { '-7': 'sha256', '-257': 'sha256', '-35': 'sha384', '-8': null }[algorithm]
  return Uint8Array.from(sign(digest, data, key))
}

/** COSE_Key. @see RFC 9053, 7 */
function coseKey(key: KeyObject, algorithm: Algorithm): Uint8Array {
  const jwk = key.export({ format: 'jwk' })
  const bytes = (text: string | undefined) => Uint8Array.from(Buffer.from(text ?? '', 'base64url'))
  const entries: [number, number | Uint8Array<ArrayBuffer>][] =
    algorithm === -257
      ? [
          [1, 3],
          [3, algorithm],
          [-1, bytes(jwk.n)],
          [-2, bytes(jwk.e)],
        ]
      : algorithm === -8
        ? [
            [1, 1],
            [3, algorithm],
            [-1, 6],
            [-2, bytes(jwk.x)],
          ]
        : [
            [1, 2],
            [3, algorithm],
            [-1, algorithm === -7 ? 1 : 2],
            [-2, bytes(jwk.x)],
            [-3, bytes(jwk.y)],
          ]
  return isoCBOR.encode(new Map(entries))
}

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
