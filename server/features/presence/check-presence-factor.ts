import { findPresenceCommitment } from '#server/db/presence/presence-challenges.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { AssertionAnswer, readClientData } from '#server/domain/identity/webauthn-answer.ts'
import type { WebauthnCredential } from '#server/domain/identity/webauthn-credential.ts'
import { rpIdOf } from '#server/domain/identity/webauthn-options.ts'
import {
  canonicalList,
  type KeyPresence,
  type PresenceProof,
  type ShownDocument,
} from '#server/domain/signing/presence.ts'
import { checkKeyAnswer } from '#server/steps/factors/check-key-answer.ts'
import { checkTotpCode } from '#server/steps/factors/check-totp-code.ts'
import { type RefusedFactor, refusedFactor } from '#server/steps/factors/checked-factor.ts'
import type { System } from '#server/system.ts'

type Checking = Pick<System, 'db' | 'clock' | 'vault' | 'webauthn' | 'settings'>

export type ShownPresence =
  | { method: 'TOTP'; code: string; documents: readonly ShownDocument[] }
  /** The browser's JSON, not validated yet. Its challenge identifies the documents. */
  | { method: 'WEBAUTHN'; response: unknown }

/** A correct factor. Nothing is written before `commit`, which must run before the proof is stored. */
export type CheckedPresence = {
  ok: true
  /** Canonical JSON. */
  list: Uint8Array
  means: PresenceProof['means']
  /** Consumes the answer or code; false if another request has already used it. */
  commit(trx: Transaction): Promise<boolean>
  record(trx: Transaction): Promise<void>
}

/**
 * Checks a second factor as a proof of presence.
 *
 * @throws {Problem} `secret-unreadable`
 */
export async function checkPresenceFactor(
  system: Checking,
  person: Person,
  shown: ShownPresence,
): Promise<CheckedPresence | RefusedFactor> {
  return shown.method === 'TOTP'
    ? await checkCode(system, person, shown)
    : await checkKey(system, person, shown.response)
}

async function checkCode(
  system: Checking,
  person: Person,
  { code, documents }: ShownPresence & { method: 'TOTP' },
): Promise<CheckedPresence | RefusedFactor> {
  const user = { id: person.userId, officeId: person.officeId }
  const checked = await checkTotpCode(system, person, user, code)
  if (!checked.ok) return checked
  const { factorId, timeStep, commit, record } = checked
  const list = canonicalList(documents, person.userId)
  return { ok: true, list, means: { method: 'totp', factorId, timeStep }, commit, record }
}

async function checkKey(
  system: Checking,
  person: Person,
  response: unknown,
): Promise<CheckedPresence | RefusedFactor> {
  const read = AssertionAnswer.safeParse(response)
  if (!read.success) return refusedFactor('unreadable')
  const said = readClientData(read.data)
  const commitment = said && (await findPresenceCommitment(system.db, said.challenge))
  if (!commitment) return refusedFactor('unknown-challenge')

  const checked = await checkKeyAnswer(system, {
    actor: person,
    userId: person.userId,
    bearer: person.sessionId,
    response: read.data,
    purpose: 'presence',
    requireUserVerification: true,
  })
  if (!checked.ok) return checked
  const { credential, commit, record } = checked
  const means = {
    ...meansOf(read.data, credential, system.settings.publicOrigin),
    nonce: commitment.nonce,
    challenge: commitment.challenge,
  }
  return { ok: true, list: commitment.list, means, commit, record }
}

function meansOf(
  { response }: AssertionAnswer,
  { credentialId, publicKey, counter }: WebauthnCredential,
  publicOrigin: string,
): Omit<KeyPresence, 'nonce' | 'challenge'> {
  return {
    method: 'webauthn',
    rpId: rpIdOf(publicOrigin),
    origin: new URL(publicOrigin).origin,
    credentialId,
    publicKey,
    counterBefore: counter,
    clientDataJson: bytes(response.clientDataJSON),
    authenticatorData: bytes(response.authenticatorData),
    signature: bytes(response.signature),
  }
}

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))
