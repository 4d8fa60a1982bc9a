import type { Certificate } from '#server/domain/efirma/certificate.ts'
import {
  diagnoseCertificate,
  diagnosePair,
  diagnosePrivateKeyFile,
} from '#server/domain/efirma/diagnosis.ts'
import {
  type OpenedPrivateKey,
  openPrivateKey,
  signWith,
} from '#server/domain/efirma/private-key.ts'
import { sentenceFor } from '#server/domain/efirma/sentences.ts'
import { assertCommitsTo, CommitmentError } from '#server/domain/efirma/signed-attributes.ts'
import type { SigningServer } from './signing-server.ts'

export type SigningField = 'certificate' | 'key' | 'password'

/** In the order in which they come. */
export type SigningStep = 'opening' | 'preparing' | 'signing' | 'storing' | 'signed'

export type SigningOutcome =
  | { kind: 'signed' }
  /** `field` is where the person can do something about it; absent when it is no field's fault. */
  | { kind: 'refused'; sentence: string; field?: SigningField; code?: string }

export type SigningTask = {
  certificate: Uint8Array
  /** Overwritten with zeros before the outcome. */
  key: Uint8Array
  password: string
  /** Of the person who must sign. */
  rfc: string
  /** Milliseconds since 1970, by the clock of the server. */
  now: number
  zone: string
  /** Of the version on the screen, hexadecimal. */
  documentSha256: string
  server: SigningServer
  onStep(step: SigningStep): void
}

/** What stands under a file that was just chosen. */
export type FileNote = { isGood: boolean; sentence: string }

export function noteOnCertificate(
  file: Uint8Array,
  task: Pick<SigningTask, 'rfc' | 'now' | 'zone'>,
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

/**
 * Signs the document on the screen with a key that never leaves this machine: the server prepares, the
 * key signs here, the server completes. Whatever goes wrong comes back as a sentence.
 */
export async function signHere(task: SigningTask): Promise<SigningOutcome> {
  try {
    return await sign(task)
  } finally {
    task.key.fill(0)
  }
}

async function sign(task: SigningTask): Promise<SigningOutcome> {
  const { onStep, zone } = task
  const diagnosis = diagnoseCertificate(task.certificate, { now: task.now, requiredRfc: task.rfc })
  if (diagnosis.kind === 'refused') return refused(sentenceFor(diagnosis, zone), 'certificate')
  const { certificate } = diagnosis

  onStep('opening')
  const outcome = await openPrivateKey(task.key, task.password)
  if (outcome.kind !== 'opened') {
    const field = outcome.kind === 'wrong-password' ? 'password' : 'key'
    return refused(sentenceFor({ code: outcome.kind, file: 'private-key' }), field)
  }
  const mismatch = diagnosePair(outcome.opened, certificate)
  if (mismatch) return refused(sentenceFor(mismatch, zone), 'key')

  const first = await prepareAndComplete(outcome.opened, certificate, task)
  // Another window of this person came in between: the key is still open here, and nobody needs to notice.
  return first.kind === 'refused' && CAN_BE_PREPARED_AGAIN.includes(first.code ?? '')
    ? prepareAndComplete(outcome.opened, certificate, task)
    : first
}

const CAN_BE_PREPARED_AGAIN = ['preparation-superseded', 'preparation-expired']

/** One preparation and its completion. */
async function prepareAndComplete(
  key: OpenedPrivateKey,
  certificate: Certificate,
  task: SigningTask,
): Promise<SigningOutcome> {
  const { server, onStep } = task
  onStep('preparing')
  const prepared = await server.prepare(certificate.der)
  if (prepared.kind === 'refused') return prepared
  const objection = await objectionTo(prepared, certificate, task)
  if (objection) return refused(objection)

  onStep('signing')
  const signature = await signWith(key, prepared.toBeSigned)

  onStep('storing')
  const completed = await server.complete(prepared.id, signature)
  if (completed.kind === 'refused') return completed
  onStep('signed')
  return { kind: 'signed' }
}

const OTHER_DOCUMENT =
  'Lo que el servidor pidió firmar no es el documento que usted tiene en pantalla. No se firmó nada; recargue la página y revíselo.'

/** Before the key touches it: what will be signed must be what was shown, with this certificate. */
async function objectionTo(
  prepared: { toBeSigned: Uint8Array; digest: Uint8Array; documentSha256: string },
  certificate: Certificate,
  { documentSha256 }: SigningTask,
): Promise<string | undefined> {
  if (prepared.documentSha256 !== documentSha256) return OTHER_DOCUMENT
  try {
    await assertCommitsTo(prepared.toBeSigned, { digest: prepared.digest, certificate })
    return undefined
  } catch (error) {
    if (error instanceof CommitmentError) return OTHER_DOCUMENT
    throw error
  }
}

function refused(sentence: string, field?: SigningField): SigningOutcome {
  return field ? { kind: 'refused', sentence, field } : { kind: 'refused', sentence }
}
