import {
  diagnoseCertificate,
  diagnosePair,
  diagnosePairs,
  diagnosePrivateKeyFile,
} from '#server/domain/efirma/diagnosis.ts'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import { diagnosePkcs12File, openPkcs12 } from '#server/domain/pkcs/pkcs12.ts'
import { openPrivateKey } from '#server/domain/pkcs/private-key.ts'
import type { Instant } from '#server/domain/time.ts'
import { ONE_OF_BOTH, sentenceOfEfirma, sentenceOfPkcs12 } from '#server/words/efirma.ts'
import { type OneDocument, type OneOutcome, type OpenedEfirma, signOne } from './sign-one.ts'
import type { Refused } from './signing-server.ts'

export type SigningField = 'certificate' | 'key' | 'pkcs12' | 'password'

/** `field` is the field to correct; absent if no field is at fault. */
export type RefusedHere = Omit<Refused, 'field'> & { field?: SigningField }

export type SigningOutcome = Exclude<OneOutcome, { kind: 'refused' }> | RefusedHere

/** The form's values, and what they are checked against. */
export type EfirmaFiles = {
  certificate: Uint8Array
  /** Overwritten with zeros before the function returns. */
  key: Uint8Array
  /** A `.p12` or `.pfx` instead of the two files; also overwritten. */
  pkcs12?: Uint8Array
  password: string
  /** RFC of the required signer. */
  rfc: string
  /** By the server's clock. */
  now: Instant
  zone: string
}

export type SigningTask = EfirmaFiles & OneDocument

/** The note under a chosen file. */
export type FileNote = { isGood: boolean; sentence: string }

export function noteOnCertificate(
  file: Uint8Array,
  task: Pick<EfirmaFiles, 'rfc' | 'now' | 'zone'>,
): FileNote {
  const diagnosis = diagnoseCertificate(file, { now: task.now, requiredRfc: task.rfc })
  if (diagnosis.kind === 'refused')
    return { isGood: false, sentence: sentenceOfEfirma(diagnosis, task.zone) }
  const { name } = diagnosis.certificate
  const { certificateNumber } = satProfileOf(diagnosis.certificate)
  return { isGood: true, sentence: `${name}, certificado ${certificateNumber}.` }
}

export function noteOnKey(file: Uint8Array): FileNote {
  const problem = diagnosePrivateKeyFile(file)
  return problem
    ? { isGood: false, sentence: sentenceOfEfirma(problem) }
    : { isGood: true, sentence: 'Es una clave privada de e.firma. No saldrá de su equipo.' }
}

export function noteOnPkcs12(file: Uint8Array): FileNote {
  const problem = diagnosePkcs12File(file)
  return problem
    ? { isGood: false, sentence: sentenceOfPkcs12(problem) }
    : { isGood: true, sentence: 'Es un archivo PKCS#12. Se abre en su equipo y no saldrá de él.' }
}

/** Signs one document with a key that never leaves this device. */
export async function signHere(task: SigningTask): Promise<SigningOutcome> {
  const opened = await openEfirma(task, () => task.onStep('opening'))
  return 'kind' in opened ? opened : await signOne(opened, task)
}

/**
 * Opens the key once, for any number of documents; wipes the file's bytes.
 *
 * @param begin called right before the password is tried
 */
export async function openEfirma(
  files: EfirmaFiles,
  begin = () => {},
): Promise<OpenedEfirma | RefusedHere> {
  const { key, pkcs12 } = files
  try {
    if (pkcs12?.length) return await openSealed({ ...files, pkcs12 }, begin)
    const diagnosis = diagnoseEfirma(files)
    if ('kind' in diagnosis) return diagnosis
    begin()
    return await openDiagnosed(files, diagnosis)
  } finally {
    key.fill(0)
    pkcs12?.fill(0)
  }
}

/** A PKCS#12 file reveals its certificate only with the password. */
async function openSealed(
  { certificate, key, pkcs12, password, now, rfc, zone }: EfirmaFiles & { pkcs12: Uint8Array },
  begin: () => void,
): Promise<OpenedEfirma | RefusedHere> {
  if (certificate.length > 0 || key.length > 0) return refused(ONE_OF_BOTH, 'pkcs12')
  begin()
  const outcome = await openPkcs12(pkcs12, password)
  if (outcome.kind !== 'opened') {
    const field = outcome.kind === 'wrong-password' ? 'password' : 'pkcs12'
    return refused(sentenceOfPkcs12(outcome.kind), field)
  }
  const diagnosis = diagnosePairs(outcome.pairs, { now, requiredRfc: rfc })
  if (diagnosis.kind === 'refused') return refused(sentenceOfEfirma(diagnosis, zone), 'pkcs12')
  return { key: diagnosis.opened, certificate: diagnosis.certificate }
}

type Diagnosed = Pick<OpenedEfirma, 'certificate'>

function diagnoseEfirma({ certificate, now, rfc, zone }: EfirmaFiles): Diagnosed | RefusedHere {
  const diagnosis = diagnoseCertificate(certificate, { now, requiredRfc: rfc })
  return diagnosis.kind === 'refused'
    ? refused(sentenceOfEfirma(diagnosis, zone), 'certificate')
    : { certificate: diagnosis.certificate }
}

async function openDiagnosed(
  { key, password, zone }: EfirmaFiles,
  { certificate }: Diagnosed,
): Promise<OpenedEfirma | RefusedHere> {
  const outcome = await openPrivateKey(key, password)
  if (outcome.kind !== 'opened') {
    const field = outcome.kind === 'wrong-password' ? 'password' : 'key'
    return refused(sentenceOfEfirma({ code: outcome.kind, file: 'private-key' }), field)
  }
  const mismatch = diagnosePair(outcome.opened, certificate)
  if (mismatch) return refused(sentenceOfEfirma(mismatch, zone), 'key')
  return { key: outcome.opened, certificate }
}

const refused = (sentence: string, field: SigningField): RefusedHere => ({
  kind: 'refused',
  sentence,
  field,
})
