import {
  diagnoseCertificate,
  diagnosePair,
  diagnosePrivateKeyFile,
} from '#server/domain/efirma/diagnosis.ts'
import { openPrivateKey } from '#server/domain/efirma/private-key.ts'
import { sentenceFor } from '#server/domain/efirma/sentences.ts'
import { type OneDocument, type OneOutcome, type OpenedEfirma, signOne } from './sign-one.ts'

export type SigningField = 'certificate' | 'key' | 'password'

/** `field` is where the person can do something about it; absent when it is no field's fault. */
export type RefusedHere = { kind: 'refused'; sentence: string; field?: SigningField; code?: string }

export type SigningOutcome = Exclude<OneOutcome, { kind: 'refused' }> | RefusedHere

/** What was chosen and typed, and what it must be. */
export type EfirmaFiles = {
  certificate: Uint8Array
  /** Overwritten with zeros before the outcome. */
  key: Uint8Array
  password: string
  /** Of the person who must sign. */
  rfc: string
  /** Milliseconds since 1970, by the clock of the server. */
  now: number
  zone: string
}

export type SigningTask = EfirmaFiles & OneDocument

/** What stands under a file that was just chosen. */
export type FileNote = { isGood: boolean; sentence: string }

export function noteOnCertificate(
  file: Uint8Array,
  task: Pick<EfirmaFiles, 'rfc' | 'now' | 'zone'>,
): FileNote {
  const diagnosis = diagnoseCertificate(file, { now: task.now, requiredRfc: task.rfc })
  if (diagnosis.kind === 'refused')
    return { isGood: false, sentence: sentenceFor(diagnosis, task.zone) }
  const { name, certificateNumber } = diagnosis.certificate
  return { isGood: true, sentence: `${name}, certificado ${certificateNumber}.` }
}

export function noteOnKey(file: Uint8Array): FileNote {
  const problem = diagnosePrivateKeyFile(file)
  return problem
    ? { isGood: false, sentence: sentenceFor(problem) }
    : { isGood: true, sentence: 'Es una clave privada de e.firma. No saldrá de su equipo.' }
}

/** Signs one document with a key that never leaves this machine. */
export async function signHere(task: SigningTask): Promise<SigningOutcome> {
  try {
    const diagnosis = diagnoseEfirma(task)
    if ('kind' in diagnosis) return diagnosis
    task.onStep('opening')
    const opened = await openDiagnosed(task, diagnosis)
    return 'kind' in opened ? opened : await signOne(opened, task)
  } finally {
    task.key.fill(0)
  }
}

/** Opens the key once, for as many documents as are to be signed; what was read of the file is wiped. */
export async function openEfirma(files: EfirmaFiles): Promise<OpenedEfirma | RefusedHere> {
  try {
    const diagnosis = diagnoseEfirma(files)
    return 'kind' in diagnosis ? diagnosis : await openDiagnosed(files, diagnosis)
  } finally {
    files.key.fill(0)
  }
}

type Diagnosed = Pick<OpenedEfirma, 'certificate'>

function diagnoseEfirma({ certificate, now, rfc, zone }: EfirmaFiles): Diagnosed | RefusedHere {
  const diagnosis = diagnoseCertificate(certificate, { now, requiredRfc: rfc })
  return diagnosis.kind === 'refused'
    ? refused(sentenceFor(diagnosis, zone), 'certificate')
    : { certificate: diagnosis.certificate }
}

async function openDiagnosed(
  { key, password, zone }: EfirmaFiles,
  { certificate }: Diagnosed,
): Promise<OpenedEfirma | RefusedHere> {
  const outcome = await openPrivateKey(key, password)
  if (outcome.kind !== 'opened') {
    const field = outcome.kind === 'wrong-password' ? 'password' : 'key'
    return refused(sentenceFor({ code: outcome.kind, file: 'private-key' }), field)
  }
  const mismatch = diagnosePair(outcome.opened, certificate)
  if (mismatch) return refused(sentenceFor(mismatch, zone), 'key')
  return { key: outcome.opened, certificate }
}

const refused = (sentence: string, field: SigningField): RefusedHere => ({
  kind: 'refused',
  sentence,
  field,
})
