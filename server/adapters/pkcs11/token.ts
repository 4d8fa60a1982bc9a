import { createHash } from 'node:crypto'
import { TokenError, type TokenRefusal } from '#server/domain/signing/token-refusal.ts'
import { CKA, CKF, CKM, CKO, CKU, type Cryptoki, CryptokiError, type Handle } from './cryptoki.ts'
import type { FoundCertificate } from './messages.ts'

/** DER of DigestInfo for SHA-256, up to the digest. @see RFC 8017, 9.2 note 1 */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex')

type Wanted = {
  slot: bigint
  id: Uint8Array
  label: string
  modulus: Uint8Array
  bytes: Uint8Array
}

/** What a module is asked for, over one session a slot. @throws {TokenError} from each */
export function tokensOf(cryptoki: Cryptoki) {
  const sessions = new Map<bigint, Handle>()
  const pins = new Map<bigint, Buffer | null>()

  function sessionIn(slot: bigint): Handle {
    const session = sessions.get(slot) ?? cryptoki.openSession(slot)
    sessions.set(slot, session)
    return session
  }

  function certificatesIn(slot: bigint): FoundCertificate[] {
    const { label: token, serial } = cryptoki.tokenInfo(slot)
    const session = sessionIn(slot)
    return cryptoki.objects(session, CKO.certificate).flatMap((object) => {
      const der = cryptoki.attribute(session, object, CKA.value)
      if (!der || der.length === 0) return []
      const id = cryptoki.attribute(session, object, CKA.id) ?? new Uint8Array()
      const label = cryptoki.attribute(session, object, CKA.label)?.toString('utf8') ?? ''
      return [{ slot, token, serial, id, label, der }]
    })
  }

  return {
    /** In all tokens, or in those of that name. */
    certificates: (token: string | undefined): FoundCertificate[] =>
      inWords(() => {
        const slots = cryptoki.slots().filter((slot) => {
          const { label, flags } = cryptoki.tokenInfo(slot)
          const isReady = (flags & CKF.tokenInitialized) !== 0
          return isReady && (token === undefined || label === token)
        })
        if (slots.length === 0)
          throw token === undefined
            ? new TokenError('no-token', 'no slot has a token')
            : new TokenError('no-such-token', `no token ${token}`)
        return slots.flatMap(certificatesIn)
      }),

    /** A PIN that the token says is locked is not tried, nor one that would lock it if it were wrong. */
    login: (slot: bigint, pin: string): void =>
      inWords(() => {
        const { flags } = cryptoki.tokenInfo(slot)
        if (flags & CKF.userPinLocked) throw new TokenError('pin-locked', 'the token says so')
        const octets = flags & CKF.protectedAuthenticationPath ? null : Buffer.from(pin, 'utf8')
        // One login opens the whole token.
        if (octets && pins.get(slot)?.equals(octets)) return
        if (flags & CKF.userPinFinalTry) throw new TokenError('pin-last-try', 'the token says so')
        try {
          cryptoki.login(sessionIn(slot), CKU.user, octets)
          pins.set(slot, octets)
        } catch (error) {
          const isWrong = error instanceof CryptokiError && REFUSALS[error.value] === 'wrong-pin'
          throw isWrong ? wrongPin(cryptoki.tokenInfo(slot).flags, error) : error
        }
      }),

    sign: (wanted: Wanted): Uint8Array =>
      inWords(() => {
        const session = sessionIn(wanted.slot)
        const key = keyFor(cryptoki, session, wanted)
        if (key === undefined) throw new TokenError('no-key', 'no key beside the certificate')
        const hashes = cryptoki.mechanisms(wanted.slot).includes(CKM.sha256RsaPkcs)
        cryptoki.signInit(session, hashes ? CKM.sha256RsaPkcs : CKM.rsaPkcs, key)
        // Keys like that of slot 9c of a PIV card ask for the PIN before each signature.
        if (cryptoki.attribute(session, key, CKA.alwaysAuthenticate)?.[0])
          cryptoki.login(session, CKU.contextSpecific, pins.get(wanted.slot) ?? null)
        return cryptoki.sign(session, hashes ? wanted.bytes : digestInfoOf(wanted.bytes))
      }),
  }
}

/** By its CKA_ID, the usual mark; else by its modulus, which cannot be wrong; else by its label. */
function keyFor(cryptoki: Cryptoki, session: Handle, wanted: Wanted): Handle | undefined {
  const keys = cryptoki.objects(session, CKO.privateKey)
  const of = (key: Handle, type: number) => cryptoki.attribute(session, key, type)
  const isRsa = (key: Handle) => of(key, CKA.keyType)?.every((octet) => octet === 0) ?? true
  const sharesId = (key: Handle) =>
    wanted.id.length > 0 && of(key, CKA.id)?.equals(wanted.id) === true
  const sharesModulus = (key: Handle) => {
    const modulus = of(key, CKA.modulus)
    const first = modulus?.findIndex((octet) => octet !== 0) ?? -1
    return first >= 0 && modulus?.subarray(first).equals(wanted.modulus) === true
  }
  const sharesLabel = (key: Handle) =>
    wanted.label !== '' && of(key, CKA.label)?.toString('utf8') === wanted.label
  const rsa = keys.filter(isRsa)
  return rsa.find(sharesModulus) ?? rsa.find(sharesId) ?? rsa.find(sharesLabel)
}

const digestInfoOf = (bytes: Uint8Array) =>
  Buffer.concat([DIGEST_INFO, createHash('sha256').update(bytes).digest()])

function wrongPin(flags: number, { message }: Error): TokenError {
  if (flags & CKF.userPinLocked) return new TokenError('pin-locked', message)
  const isLast = (flags & CKF.userPinFinalTry) !== 0
  return new TokenError(isLast ? 'wrong-pin-last-try' : 'wrong-pin', message)
}

/** @see PKCS #11 Base Specification 2.40, 5.1 */
const REFUSALS: Partial<Record<number, TokenRefusal>> = {
  48: 'token-removed',
  49: 'token-failed',
  50: 'token-removed',
  80: 'token-silent',
  160: 'wrong-pin',
  161: 'wrong-pin',
  162: 'wrong-pin',
  163: 'pin-expired',
  164: 'pin-locked',
  176: 'token-removed',
  179: 'token-removed',
  224: 'token-removed',
  256: 'token-busy',
  258: 'pin-unset',
  260: 'token-busy',
  3: 'no-token',
}

/** Answers of a module as refusals that we have words for. */
function inWords<T>(use: () => T): T {
  try {
    return use()
  } catch (error) {
    if (!(error instanceof CryptokiError)) throw error
    throw new TokenError(REFUSALS[error.value] ?? 'token-failed', error.message)
  }
}
