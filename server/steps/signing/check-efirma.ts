import {
  diagnoseCertificate,
  diagnosePair,
  diagnosePairs,
  diagnosePrivateKeyFile,
  type EfirmaProblem,
} from '#server/domain/efirma/diagnosis.ts'
import type { Rfc } from '#server/domain/identity/rfc.ts'
import type { Pkcs12Pair } from '#server/domain/pkcs/pkcs12.ts'
import type { OpenedPrivateKey } from '#server/domain/pkcs/private-key.ts'
import type { Instant } from '#server/domain/time.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import type { QueueOf } from '#server/ports/memory.ts'
import type { OpenedPkcs12, SignerKeys } from '#server/ports/signer-keys.ts'
import type { System } from '#server/system.ts'
import {
  CONSENT_NEEDED,
  ONE_OF_BOTH,
  PASSWORD_NEEDED,
  sentenceOfEfirma,
  sentenceOfPkcs12,
} from '#server/words/efirma.ts'

/** The fields of the forms for browsers without scripts. */
export type ShownEfirma = {
  certificate: Uint8Array
  privateKey: Uint8Array
  /** Replaces the two files. */
  pkcs12?: Uint8Array | undefined
  password: string
  /** Consent to use the key in the server's memory. */
  consent: boolean
}

/** What to correct, per field. */
export type EfirmaSentences = Partial<Record<keyof ShownEfirma, string>>

/** The signer and the time of signing. */
type Facts = { now: Instant; rfc: Rfc; zone: string }

/**
 * Keys are opened one at a time. The author of a key file chooses how slow its key derivation is, and each
 * derivation takes one of the few threads that read all files: several at once would block every reader. Four
 * per signer allow a double click and a second tab.
 */
const OPENED_KEYS: QueueOf = { name: 'opened-keys', places: 1, ofOneOwner: 4 }

/**
 * Opens the signer's key, or returns what is wrong with the files or the password.
 *
 * @throws {Problem} `too-many-attempts` when four keys of this signer already wait
 */
export async function checkEfirma(
  { memory, signerKeys }: Pick<System, 'memory' | 'signerKeys'>,
  shown: ShownEfirma,
  facts: Facts,
): Promise<CheckedEfirma> {
  const { pkcs12 } = shown
  const { inTurn } = memory.queue(OPENED_KEYS)
  const inTurnOf: SignerKeys = {
    openPkcs12: (...asked) => inTurn(() => signerKeys.openPkcs12(...asked), { owner: facts.rfc }),
    openPrivateKey: (...asked) =>
      inTurn(() => signerKeys.openPrivateKey(...asked), { owner: facts.rfc }),
  }
  return pkcs12?.length
    ? await checkPkcs12({ ...shown, pkcs12 }, facts, inTurnOf)
    : await checkPair(shown, facts, inTurnOf)
}

export type CheckedEfirma =
  | {
      kind: 'opened'
      opened: OpenedPrivateKey
      certificate: Uint8Array
      /** The field of the certificate. */
      field: 'certificate' | 'pkcs12'
    }
  | { kind: 'refused'; code: string; sentences: EfirmaSentences }

/** Checks a PKCS#12 file: its certificate can be read only with the password. */
async function checkPkcs12(
  input: ShownEfirma & { pkcs12: Uint8Array },
  { now, rfc, zone }: Facts,
  { openPkcs12 }: SignerKeys,
): Promise<CheckedEfirma> {
  const refuse = (code: string, sentences: EfirmaSentences): CheckedEfirma => {
    return { kind: 'refused', code, sentences }
  }
  const hasBoth = input.certificate.length > 0 || input.privateKey.length > 0
  const sentences = {
    ...(hasBoth && { pkcs12: ONE_OF_BOTH }),
    ...(input.password === '' && { password: PASSWORD_NEEDED }),
    ...(!input.consent && { consent: CONSENT_NEEDED }),
  }
  if (Object.keys(sentences).length > 0) return refuse('incomplete', sentences)
  const outcome = await openPkcs12(input.pkcs12, input.password)
  if (outcome.kind !== 'opened') {
    const field = outcome.kind === 'wrong-password' ? 'password' : 'pkcs12'
    return refuse(outcome.kind, { [field]: sentenceOfPkcs12(outcome.kind) })
  }
  const diagnosis = diagnosePairs(withCertificates(outcome.pairs), { now, requiredRfc: rfc })
  if (diagnosis.kind === 'refused')
    return refuse(diagnosis.code, { pkcs12: sentenceOfEfirma(diagnosis, zone) })
  const { opened, certificate } = diagnosis
  return { kind: 'opened', opened, certificate: certificate.der, field: 'pkcs12' }
}

/** They were read when the file was opened. */
function withCertificates([first, ...others]: OpenedPairs): [Pkcs12Pair, ...Pkcs12Pair[]] {
  const read = ({ certificate, opened }: OpenedPairs[number]): Pkcs12Pair => ({
    certificate: readCertificate(certificate),
    opened,
  })
  return [read(first), ...others.map(read)]
}

type OpenedPairs = Extract<OpenedPkcs12, { kind: 'opened' }>['pairs']

/** Reports every error at once; opens the key only if there is none. */
async function checkPair(
  input: ShownEfirma,
  { now, rfc, zone }: Facts,
  { openPrivateKey }: SignerKeys,
): Promise<CheckedEfirma> {
  const say = (problem: EfirmaProblem) => sentenceOfEfirma(problem, zone)
  const options = { now, requiredRfc: rfc }
  const certificate = diagnoseCertificate(input.certificate, options)
  const key = diagnosePrivateKeyFile(input.privateKey)
  const sentences = {
    ...(certificate.kind === 'refused' && { certificate: say(certificate) }),
    ...(key && { privateKey: say(key) }),
    ...(input.password === '' && { password: PASSWORD_NEEDED }),
    ...(!input.consent && { consent: CONSENT_NEEDED }),
  }
  if (certificate.kind === 'refused') return { kind: 'refused', code: certificate.code, sentences }
  if (Object.keys(sentences).length > 0)
    return { kind: 'refused', code: key?.code ?? 'incomplete', sentences }

  const refuse = (problem: EfirmaProblem, field: keyof ShownEfirma): CheckedEfirma => {
    return { kind: 'refused', code: problem.code, sentences: { [field]: say(problem) } }
  }
  const outcome = await openPrivateKey(input.privateKey, input.password)
  if (outcome.kind !== 'opened') {
    const field = outcome.kind === 'wrong-password' ? 'password' : 'privateKey'
    return refuse({ code: outcome.kind, file: 'private-key' }, field)
  }
  const mismatch = diagnosePair(outcome.opened, certificate.certificate)
  if (mismatch) return refuse(mismatch, 'privateKey')
  return { ...outcome, certificate: input.certificate, field: 'certificate' }
}
