import { createHash } from 'node:crypto'
import { isSignedWithKey, readCoseKey } from '#server/domain/crypto/cose-key.ts'
import { readClientData } from '#server/domain/identity/webauthn-answer.ts'
import { refusalOfData } from '#server/domain/identity/webauthn-authenticator-data.ts'
import { rpIdOf } from '#server/domain/identity/webauthn-options.ts'
import type { ExportedKeyPresence, ExportedPresence } from './exported-presence.ts'
import {
  digestOfList,
  NONCE_BYTES,
  PRESENCE_LIFE,
  presenceChallenge,
  readCanonicalList,
} from './presence.ts'

/** The faults of a proof, in the order of checking. */
export type PresenceFault =
  | 'list-not-canonical'
  | 'list-digest'
  | 'other-signer'
  | 'life'
  | 'challenge'
  | 'client-data'
  | 'client-challenge'
  | 'origin'
  | 'relying-party'
  | 'user-not-present'
  | 'user-not-verified'
  | 'authenticator-data'
  | 'key'
  | 'signature'
  | 'counter'
  /** The log has another digest for it, or none. */
  | 'log'

/**
 * `genuine`: a key signed exactly this list. `log-only`: a TOTP code, which only the log can confirm.
 * `refuted`: the proof is not valid.
 */
export type PresenceVerdict = {
  kind: 'genuine' | 'log-only' | 'refuted'
  faults: readonly PresenceFault[]
}

/** Offset of the 4-byte counter, after the hash and the flags. */
const COUNTER_AT = 33

/**
 * Checks a proof of presence from its own contents.
 *
 * @param expectedOrigin the system's origin if the caller knows it; by default that of the proof
 * @see https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion
 */
export function checkExportedPresence(
  evidence: ExportedPresence,
  expectedOrigin?: string,
): PresenceVerdict {
  const { means } = evidence
  const faults = [
    ...faultsOfList(evidence),
    ...(means.method === 'webauthn' ? faultsOfKey(means, evidence, expectedOrigin) : []),
  ]
  return verdictOf(means.method, faults)
}

/**
 * Checks proofs in order, oldest first: each one by itself, and that its key's counter increased since the
 * previous one. Keys that never counted are exempt.
 */
export function presenceChecker(
  expectedOrigin?: string,
): (evidence: ExportedPresence) => PresenceVerdict {
  const counters = new Map<string, number>()
  return (evidence) => {
    const verdict = checkExportedPresence(evidence, expectedOrigin)
    if (evidence.means.method !== 'webauthn') return verdict
    const { credentialId } = evidence.means
    const counter = counterOf(evidence.means)
    const before = counters.get(credentialId) ?? 0
    counters.set(credentialId, Math.max(before, counter))
    const isRewound = before > 0 && counter <= before
    return isRewound && !verdict.faults.includes('counter')
      ? withFault(verdict, 'counter')
      : verdict
  }
}

export const withFault = ({ faults }: PresenceVerdict, fault: PresenceFault): PresenceVerdict => ({
  kind: 'refuted',
  faults: [...faults, fault],
})

function verdictOf(method: string, faults: readonly PresenceFault[]): PresenceVerdict {
  if (faults.length > 0) return { kind: 'refuted', faults }
  return { kind: method === 'webauthn' ? 'genuine' : 'log-only', faults }
}

function faultsOfList(evidence: ExportedPresence): PresenceFault[] {
  const bytes = new TextEncoder().encode(evidence.list)
  const list = readCanonicalList(bytes)
  const life = Date.parse(evidence.expiresAt) - Date.parse(evidence.at)
  return [
    ...found('list-not-canonical', !list),
    ...found('list-digest', digestOfList(bytes) !== evidence.listSha256),
    ...found('other-signer', !!list?.some(({ signer }) => signer !== evidence.userId)),
    ...found('life', !(life > 0 && life <= PRESENCE_LIFE)),
  ]
}

function faultsOfKey(
  means: ExportedKeyPresence,
  { list }: ExportedPresence,
  expectedOrigin: string | undefined,
): PresenceFault[] {
  const said = readClientData({ response: means })
  const origin = expectedOrigin ?? means.origin
  const data = bytesOf(means.authenticatorData)
  const isOrigin =
    URL.canParse(origin) &&
    means.origin === origin &&
    said?.origin === origin &&
    said.crossOrigin !== true &&
    said.topOrigin === undefined
  const isParty = URL.canParse(origin) && rpIdOf(origin) === means.rpId
  return [
    ...found('challenge', !isChallengeFor(means, list)),
    ...found('client-data', said?.type !== 'webauthn.get'),
    ...found('client-challenge', said?.challenge !== means.challenge),
    ...found('origin', !isOrigin),
    ...found('relying-party', !isParty),
    ...faultsOfData(data, means.rpId),
    ...faultsOfSignature(means, data),
    ...found('counter', means.counterBefore > 0 && counterOf(means) <= means.counterBefore),
  ]
}

function isChallengeFor({ nonce, challenge }: ExportedKeyPresence, list: string): boolean {
  const bytes = bytesOf(nonce)
  if (bytes.length !== NONCE_BYTES) return false
  return presenceChallenge(bytes, new TextEncoder().encode(list)) === challenge
}

/** Checks user presence and user verification (PIN or fingerprint). */
function faultsOfData(data: Uint8Array, rpId: string): PresenceFault[] {
  const refusal = refusalOfData(data, { rpId, isVerificationRequired: true })
  if (!refusal) return []
  if (refusal === 'wrong-relying-party') return ['relying-party']
  if (refusal === 'user-not-present' || refusal === 'user-not-verified') return [refusal]
  return ['authenticator-data']
}

/** @see https://www.w3.org/TR/webauthn-3/#fig-signature */
function faultsOfSignature(means: ExportedKeyPresence, data: Uint8Array): PresenceFault[] {
  const key = readCoseKey(bytesOf(means.publicKey))
  if (!key) return ['key']
  const hash = createHash('sha256').update(bytesOf(means.clientDataJSON)).digest()
  const signed = Buffer.concat([data, hash])
  return found('signature', !isSignedWithKey(key, signed, bytesOf(means.signature)))
}

function counterOf({ authenticatorData }: ExportedKeyPresence): number {
  const data = bytesOf(authenticatorData)
  return data.length >= COUNTER_AT + 4 ? data.readUInt32BE(COUNTER_AT) : 0
}

const bytesOf = (text: string) => Buffer.from(text, 'base64url')
const found = (fault: PresenceFault, isThere: boolean) => (isThere ? [fault] : [])
