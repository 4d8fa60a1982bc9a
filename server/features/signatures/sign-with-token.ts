import { z } from 'zod'
import { endAttempts, refundAttempt } from '#server/db/sign-ins/attempts.ts'
import { diagnoseCertificate } from '#server/domain/efirma/diagnosis.ts'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { WRONG_PINS_OF_TOKEN } from '#server/domain/identity/attempts/throttle.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import type { Rfc } from '#server/domain/identity/rfc.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { TokenError, type TokenRefusal } from '#server/domain/signing/token-refusal.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { OpenTokens, TokenCertificate } from '#server/ports/key-tokens.ts'
import { mustBeAcknowledged } from '#server/steps/judgements/find-judgements.ts'
import { consumeAttempt } from '#server/steps/sign-ins/consume-attempt.ts'
import {
  authorizeParty,
  identityOf,
  mustBeTheirTurn,
  type SigningParty,
} from '#server/steps/signing/authorize-party.ts'
import { findSeen, findSignable, mustNotBeOver } from '#server/steps/signing/find-signable.ts'
import type { System } from '#server/system.ts'
import { sentenceOfEfirma } from '#server/words/efirma.ts'
import { PIN_NEEDED, sentenceOfToken } from '#server/words/tokens.ts'
import { type CompletedSignature, completeSignature } from './complete-signature.ts'
import { prepareSignature } from './prepare-signature.ts'
import { recordRefusal } from './record-refusal.ts'

export const SignWithToken = z.object({
  documentId: DocumentId,
  version: z.coerce.number().int().positive(),
  /** The token's PIN; never stored or logged. */
  pin: z.string(),
})
export type SignWithToken = z.infer<typeof SignWithToken>

export type SignWithTokenOutcome =
  | { kind: 'signed'; signed: CompletedSignature }
  | { kind: 'refused'; code: string; sentence: string }

/**
 * Signs with a token that is plugged into the server. Uses only a certificate of the signer, so no one can try
 * a PIN on another person's key. The PIN is tried once, after the certificate was accepted, and not at all
 * after two wrong PINs in a day: cards lock after three.
 *
 * @throws {Problem} `not-found` where no tokens are configured; see `prepareSignature` and `completeSignature`
 */
export async function signWithToken(
  system: System,
  actor: Actor,
  input: SignWithToken,
): Promise<SignWithTokenOutcome> {
  const { db, clock, tokens } = system
  const at = clock.now()
  mustBeSignedIn(actor)
  if (!tokens) throw new Problem('not-found', 'no tokens on this server')
  const signable = await findSignable(db, input)
  const party = await authorizeParty(db, actor, signable, at)
  await mustNotBeOver(db, actor, signable, input.version)
  mustBeTheirTurn(party, signable, at)
  await findSeen(db, signable, input.version)
  // Before the PIN is tried.
  await mustBeAcknowledged(system, signable.document, identityOf(party))
  const refuse = async (code: string, sentence: string): Promise<SignWithTokenOutcome> => {
    const documentId = signable.document.id
    await recordRefusal(db, { by: party.actor, at, documentId, method: 'pkcs11', code })
    return { kind: 'refused', code, sentence }
  }
  if (input.pin === '') return { kind: 'refused', code: 'incomplete', sentence: PIN_NEEDED }
  try {
    return await tokens.withTokens(async (opened) => {
      const own = await ownCertificate(opened, party)
      const options = { now: at, requiredRfc: party.rfc }
      const diagnosis = diagnoseCertificate(own.certificate.der, options)
      if (diagnosis.kind === 'refused')
        return refuse(diagnosis.code, sentenceOfEfirma(diagnosis, signable.office.timeZone))
      await tryPin(system, opened, own, input.pin)
      return signOpened(system, actor, input, opened, own)
    })
  } catch (error) {
    if (error instanceof TokenError) return refuse(error.code, sentenceOfToken(error.code))
    throw error
  }
}

function isEfirmaOf(certificate: Certificate, rfc: Rfc): boolean {
  const profile = satProfileOf(certificate)
  return profile.rfc === rfc && profile.kind !== 'csd'
}

/** The signer's certificate with the latest expiry. @throws {TokenError} `no-certificate` */
async function ownCertificate(
  opened: OpenTokens,
  { rfc }: SigningParty,
): Promise<TokenCertificate> {
  const [newest] = (await opened.certificates())
    .filter(({ certificate }) => isEfirmaOf(certificate, rfc))
    .sort((a, b) => b.certificate.notAfter - a.certificate.notAfter)
  if (!newest) throw new TokenError('no-certificate', `no certificate of ${rfc}`)
  return newest
}

/**
 * Counts the attempt before trying the PIN, so that concurrent attempts cannot exceed the limit.
 *
 * @throws {TokenError}
 */
async function tryPin(
  { db, clock }: System,
  opened: OpenTokens,
  own: TokenCertificate,
  pin: string,
): Promise<void> {
  const at = clock.now()
  const key = throttleKeys.pinOfToken(own.serial, own.token)
  const spent = await db.transaction((trx) => consumeAttempt(trx, key, at, WRONG_PINS_OF_TOKEN))
  if (!spent.allowed) throw new TokenError('pin-resting', `two wrong PINs, ${spent.retryAfter} ms`)
  try {
    await opened.login(own, pin)
  } catch (error) {
    if (!isWrongPin(error)) await db.transaction((trx) => refundAttempt(trx, key))
    throw error
  }
  // The token resets its own counter, too, on a correct PIN.
  await db.transaction((trx) => endAttempts(trx, key))
}

/** Refusals that count as a wrong PIN: a token that did not answer may have counted it. */
const COUNTED: readonly TokenRefusal[] = [
  'wrong-pin',
  'wrong-pin-last-try',
  'pin-locked',
  'token-silent',
  'module-unusable',
]
const isWrongPin = (error: unknown) => error instanceof TokenError && COUNTED.includes(error.code)

async function signOpened(
  system: System,
  actor: Actor,
  { documentId, version }: SignWithToken,
  opened: OpenTokens,
  own: TokenCertificate,
): Promise<SignWithTokenOutcome> {
  const certificate = own.certificate.der
  const input = { documentId, version, certificate }
  const prepared = await prepareSignature(system, actor, input, 'pkcs11')
  if (prepared.kind === 'refused') return prepared
  const signature = await opened.sign(own, prepared.toBeSigned)
  const signed = await completeSignature(system, actor, { preparedId: prepared.id, signature })
  return { kind: 'signed', signed }
}
