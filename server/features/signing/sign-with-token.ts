import { z } from 'zod'
import { diagnoseCertificate } from '#server/domain/efirma/diagnosis.ts'
import { sentenceFor } from '#server/domain/efirma/sentences.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { TOKEN_SENTENCES, TokenError } from '#server/domain/signing/token-refusal.ts'
import type { OpenTokens, System, TokenCertificate } from '#server/system.ts'
import { type CompletedSignature, completeSignature } from './complete-signature.ts'
import { findParty, mustBeTheirTurn, type SigningParty } from './find-party.ts'
import { findSeen, findSignable } from './find-signable.ts'
import { prepareSignature } from './prepare-signature.ts'
import { recordRefusal } from './record-refusal.ts'

export const SignWithToken = z.object({
  documentId: DocumentId,
  version: z.coerce.number().int().positive(),
  /** Of the token; never stored or logged. */
  pin: z.string(),
})
export type SignWithToken = z.infer<typeof SignWithToken>

export type SignWithTokenOutcome =
  | { kind: 'signed'; signed: CompletedSignature }
  | { kind: 'refused'; code: string; sentence: string }

const PIN_NEEDED = 'Escriba el NIP del token.'

/**
 * Signs with a token that is plugged into the server, of which only the certificate of whoever signs is used:
 * nobody tries a PIN on the key of another. The PIN is tried once, after the certificate was found good.
 *
 * @throws {Problem} `not-found` where no tokens are configured; what preparing and completing throw
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
  const party = await findParty(db, actor, signable, at)
  await findSeen(db, signable, input.version)
  mustBeTheirTurn(party, signable, at)
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
        return refuse(diagnosis.code, sentenceFor(diagnosis, signable.office.timeZone))
      await opened.login(own, input.pin)
      return signOpened(system, actor, input, opened, own)
    })
  } catch (error) {
    if (error instanceof TokenError) return refuse(error.code, TOKEN_SENTENCES[error.code])
    throw error
  }
}

/** The one that is valid longest. @throws {TokenError} `no-certificate` */
async function ownCertificate(
  opened: OpenTokens,
  { rfc }: SigningParty,
): Promise<TokenCertificate> {
  const [newest] = (await opened.certificates())
    .filter(({ certificate }) => certificate.rfc === rfc && certificate.kind !== 'csd')
    .sort((a, b) => b.certificate.notAfter - a.certificate.notAfter)
  if (!newest) throw new TokenError('no-certificate', `no certificate of ${rfc}`)
  return newest
}

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
