import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import {
  diagnoseCertificate,
  diagnosePair,
  diagnosePrivateKeyFile,
  type EfirmaProblem,
} from '#server/domain/efirma/diagnosis.ts'
import { openPkcs12 } from '#server/domain/efirma/pkcs12.ts'
import { PKCS12_SENTENCES } from '#server/domain/efirma/pkcs12-sentences.ts'
import {
  type OpenedPrivateKey,
  openPrivateKey,
  signWith,
} from '#server/domain/efirma/private-key.ts'
import { sentenceFor } from '#server/domain/efirma/sentences.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { type CompletedSignature, completeSignature } from './complete-signature.ts'
import { findParty, mustBeTheirTurn, type SigningParty } from './find-party.ts'
import { findSeen, findSignable, type Signable } from './find-signable.ts'
import { prepareSignature } from './prepare-signature.ts'
import { recordRefusal } from './record-refusal.ts'

export const SignOnServer = z.object({
  documentId: DocumentId,
  version: z.coerce.number().int().positive(),
  /** Contents of the `.cer` and the `.key`; overwritten with zeros before this returns. */
  certificate: z.instanceof(Uint8Array<ArrayBufferLike>),
  privateKey: z.instanceof(Uint8Array<ArrayBufferLike>),
  /** A `.p12` or `.pfx` in place of the two, overwritten like them. */
  pkcs12: z.instanceof(Uint8Array<ArrayBufferLike>).optional(),
  password: z.string(),
  /** That the server may use the key in memory, for this one signature. */
  consent: z.boolean(),
})
export type SignOnServer = z.infer<typeof SignOnServer>

export type SignOnServerField = 'pkcs12' | 'certificate' | 'privateKey' | 'password' | 'consent'
export type SignOnServerOutcome =
  | { kind: 'signed'; signed: CompletedSignature }
  /** What to do, under each field that is not right. */
  | { kind: 'refused'; sentences: Partial<Record<SignOnServerField, string>> }

const CONSENT_NEEDED =
  'Marque la casilla para autorizar esta firma. Sin su autorización la clave privada no se usa.'
const PASSWORD_NEEDED = 'Escriba la contraseña de la clave privada.'

/**
 * Signs with an e.firma in the memory of this process, for browsers without scripts: both halves at once,
 * with the code that runs in the page. Nothing of the key is stored or logged.
 *
 * @throws {Problem} `server-signing-disabled` by the office; what preparing and completing throw
 */
export async function signOnServer(
  system: System,
  actor: Actor,
  input: SignOnServer,
): Promise<SignOnServerOutcome> {
  try {
    return await sign(system, actor, input)
  } finally {
    input.certificate.fill(0)
    input.privateKey.fill(0)
    input.pkcs12?.fill(0)
  }
}

async function sign(
  system: System,
  actor: Actor,
  input: SignOnServer,
): Promise<SignOnServerOutcome> {
  const { db, clock } = system
  const at = clock.now()
  const signable = await findSignable(db, input)
  const { document, office } = signable
  const party = await findParty(db, actor, signable, at)
  if (office.serverSigning === 'disabled')
    throw new Problem('server-signing-disabled', `${office.id} does not allow it`)
  await findSeen(db, signable, input.version)
  mustBeTheirTurn(party, signable, at)

  const { pkcs12 } = input
  const checked = pkcs12?.length
    ? await checkPkcs12(system, party, signable, { ...input, pkcs12 })
    : await check(system, party, signable, input)
  if (checked.kind === 'refused') {
    const refused = { by: party.actor, at, documentId: document.id, method: 'server' } as const
    await recordRefusal(db, { ...refused, code: checked.code })
    return { kind: 'refused', sentences: checked.sentences }
  }
  const { documentId, version } = input
  const own = { documentId, version, certificate: checked.certificate }
  const prepared = await prepareWhenFree(() => prepareSignature(system, actor, own, 'server'))
  if (prepared.kind === 'refused')
    return { kind: 'refused', sentences: { [checked.field]: prepared.sentence } }
  const signature = await signWith(checked.opened, prepared.toBeSigned)
  const signed = await completeSignature(system, actor, { preparedId: prepared.id, signature })
  return { kind: 'signed', signed }
}

/** Longer than a signature takes, and shorter than a browser waits. */
const PATIENCE = seconds(20)
const PAUSE = seconds(0.5)

/** Both halves stand in one request: while somebody else signs the document, this one waits for its turn. */
async function prepareWhenFree<T>(prepare: () => Promise<T>): Promise<T> {
  for (let waited = 0; ; waited += PAUSE) {
    try {
      return await prepare()
    } catch (error) {
      const isBusy = error instanceof Problem && error.code === 'someone-signing'
      if (!isBusy || waited >= PATIENCE) throw error
      await pause(PAUSE)
    }
  }
}

type Checked =
  | {
      kind: 'opened'
      opened: OpenedPrivateKey
      certificate: Uint8Array
      /** Where the certificate came from. */
      field: 'certificate' | 'pkcs12'
    }
  | { kind: 'refused'; code: string; sentences: Partial<Record<SignOnServerField, string>> }

const ONE_OF_BOTH = 'Elija el archivo PKCS#12 o los dos archivos de la e.firma, no ambas cosas.'

/** The same of a PKCS#12 file: its certificate is seen only with the password. */
async function checkPkcs12(
  { clock }: System,
  { rfc }: SigningParty,
  { office }: Signable,
  input: SignOnServer & { pkcs12: Uint8Array },
): Promise<Checked> {
  const refuse = (code: string, sentences: Partial<Record<SignOnServerField, string>>): Checked => {
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
    return refuse(outcome.kind, { [field]: PKCS12_SENTENCES[outcome.kind] })
  }
  const options = { now: clock.now(), requiredRfc: rfc }
  const judged = outcome.pairs.map(({ certificate, opened }) => ({
    opened,
    diagnosis: diagnoseCertificate(certificate.der, options),
  }))
  const [first] = judged
  const usable = judged.find(({ diagnosis }) => diagnosis.kind === 'usable') ?? first
  if (!usable) throw new Error('opened without a pair')
  const { diagnosis, opened } = usable
  if (diagnosis.kind === 'refused')
    return refuse(diagnosis.code, { pkcs12: sentenceFor(diagnosis, office.timeZone) })
  return { kind: 'opened', opened, certificate: diagnosis.certificate.der, field: 'pkcs12' }
}

/** Everything that can be wrong is said at once; the key is opened only when nothing else is. */
async function check(
  { clock }: System,
  { rfc }: SigningParty,
  { office }: Signable,
  input: SignOnServer,
): Promise<Checked> {
  const say = (problem: EfirmaProblem) => sentenceFor(problem, office.timeZone)
  const options = { now: clock.now(), requiredRfc: rfc }
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

  const refuse = (problem: EfirmaProblem, field: SignOnServerField): Checked => {
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
