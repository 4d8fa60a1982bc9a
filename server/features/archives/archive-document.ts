import { findArchive, replaceArchive } from '#server/db/documents/archives.ts'
import { deleteDocumentStamp, findDocumentStamp } from '#server/db/documents/document-stamps.ts'
import { findUploadedVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { findLease } from '#server/db/documents/prepared-signatures.ts'
import { nextTry } from '#server/domain/documents/archive.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { DocumentId, OfficeId } from '#server/domain/ids.ts'
import { isProblem, Problem } from '#server/domain/problem.ts'
import type { RevocationValues } from '#server/domain/revocation/revocation-values.ts'
import { faultOfArchived, isAtLeast } from '#server/domain/verification/fault-of-archived.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { Stamping } from '#server/steps/signing/request-timestamp.ts'
import type { System } from '#server/system.ts'
import { commitArchive } from './commit-archive.ts'
import { type Archivable, findArchivable } from './find-archivable.ts'
import { type GrowingFile, growFile } from './grow-file.ts'
import { appendIssuedStamp, type DocumentStamp, stampFile } from './stamp-file.ts'

/**
 * `kept`: the file carries its long-term proof. `waiting`: an authority did not answer. `not-yet`: other
 * signatures come first. `left-out`: a certification forbids any change of the file. `passed-over`: it waits, too, because
 * none of the office's authorities answered a moment ago, and none was asked.
 */
export type ArchiveOutcome = 'kept' | 'waiting' | 'not-yet' | 'left-out' | 'passed-over'

/** The dependencies to archive. */
export type Archiving = Stamping & Pick<System, 'blobs' | 'pdf' | 'revocation' | 'trust'>

/**
 * Adds the long-term proof to a signed document: the certificates and revocation answers of every signer, and a
 * document timestamp over them. The file becomes the document's next version. A signature without a timestamp
 * gets one first, in its own version, so that it does not wait for the other authorities. While an authority is
 * down the document waits. Safe to run twice: a document that changed meanwhile is left alone.
 *
 * @param areAllSilent whether asking the authorities of an office would be in vain
 * @throws {Problem} `not-found`, `stale-version` when the document changed meanwhile
 */
export async function archiveDocument(
  system: Archiving,
  id: DocumentId,
  areAllSilent: (officeId: OfficeId) => Promise<boolean> = async () => false,
): Promise<ArchiveOutcome> {
  const { db, clock } = system
  const seen = await findArchivable(system, id)
  if (!seen || (await findLease(db, id, clock.now()))) return 'not-yet'
  // A timestamp that an earlier attempt got is used while no authority answers.
  if (!(await findDocumentStamp(db, seen.base)) && (await areAllSilent(seen.office.id))) {
    await wait(system, seen.document, 'timestamp-unavailable')
    return 'passed-over'
  }
  if (await isFinal(system, seen)) return await leaveOut(system, seen)
  try {
    const timed = await reportDamage(system, storedOf(seen), proveTime(system, seen))
    const { proven } = timed
    const outcome = await reportDamage(system, storedOf(proven), keepProofs(system, timed))
    if (outcome.kind === 'committed') return 'kept'
    await wait(system, proven.document, outcome.fault)
  } catch (error) {
    const isMovedOn = isProblem(error, 'stale-version')
    if (isMovedOn) throw error
    const fault = error instanceof Problem ? error.code : 'failed'
    // The timestamp may be a new current version already. A document that always fails backs off, so that it
    // does not block the others.
    await wait(system, (await findDocument(db, id)) ?? seen.document, fault)
    if (!(error instanceof Problem)) throw error
  }
  return 'waiting'
}

const storedOf = ({ document, base: version }: Archivable) => ({ document, version })

/** Only signatures that came with the upload can forbid it; ours never certify. */
async function isFinal({ db, blobs, pdf }: Archiving, { base }: Archivable): Promise<boolean> {
  const original = await findUploadedVersion(db, base.documentId)
  if (!original || original.signaturesBrought === 0) return false
  return await blobs.withFile(base, async (file) => (await pdf.inspect(file)).isFinal)
}

/** Final: every retry would fail in the same way. */
async function leaveOut({ db, clock }: Archiving, { document }: Archivable) {
  const at = clock.now()
  await db.transaction((trx) =>
    replaceArchive(trx, {
      documentId: document.id,
      officeId: document.officeId,
      version: document.version,
      state: 'left-out',
      stateSince: at,
      attempts: 0,
      dueAt: at,
      holdsUntil: null,
      fault: null,
    }),
  )
  return 'left-out' as const
}

/** A verdict about a file, and the answers of authorities on which it rests. */
type Judged = { report: VerificationReport; evidence: RevocationValues }

type Timed = {
  /** Each of its signatures has a timestamp. */
  proven: Archivable
  judged: Judged
}

/** Adds a document timestamp alone, if a signature has none yet. */
async function proveTime(system: Archiving, seen: Archivable): Promise<Timed> {
  const { base, fields } = seen
  const policy = await policyFor(system, seen)
  const before = await verified(system, growFile(system, base), base, policy)
  if (isAtLeast(before.report, fields, 'B-T')) return { proven: seen, judged: before }
  const file = growFile(system, base)
  try {
    const issued = await appendIssuedStamp(system, file, base)
    const stamp = issued ?? (await stampFile(system, file, seen, policy))
    const judged = await verified(system, file, base, policy)
    const { report } = judged
    if (!(await proves(system, seen, { issued, report, before: before.report, level: 'B-T' })))
      throw new Error(`${base.documentId} is not proven by its new timestamp`)
    const proven = await commit(system, seen, { file, report, stamp, isComplete: false })
    return { proven, judged }
  } finally {
    await file.discard()
  }
}

type Kept = { kind: 'committed' } | { kind: 'incomplete'; fault: string }

/** Adds the validation data of every signer, and a document timestamp over it. */
async function keepProofs(system: Archiving, { proven: seen, judged }: Timed): Promise<Kept> {
  const { base } = seen
  const policy = await policyFor(system, seen)
  const file = growFile(system, base)
  try {
    const issued = await appendIssuedStamp(system, file, base)
    const stamp = issued ?? (await stampProofs(system, file, seen, policy, judged.evidence))
    if (!stamp) return { kind: 'incomplete', fault: 'no-answer' }
    const { report } = await verified(system, file, base, policy)
    if (!(await proves(system, seen, { issued, report, before: judged.report, level: 'B-LTA' })))
      return { kind: 'incomplete', fault: 'no-answer' }
    await commit(system, seen, { file, report, stamp, isComplete: true })
    return { kind: 'committed' }
  } finally {
    await file.discard()
  }
}

/** Appends the validation data and a timestamp; undefined, and nothing was asked for, while an answer is missing. */
async function stampProofs(
  system: Archiving,
  file: GrowingFile,
  seen: Archivable,
  policy: VerificationPolicy,
  evidence: RevocationValues,
): Promise<DocumentStamp | undefined> {
  await addProofs(system, file, policy, evidence)
  // A timestamp costs money and adds no answer: while one is missing, each try would buy one in vain.
  if (!(await hasAnswers(system, file, seen, { ...policy, evidence }))) return undefined
  return await stampFile(system, file, seen, policy)
}

async function addProofs(
  { pdf, clock }: Archiving,
  file: GrowingFile,
  policy: VerificationPolicy,
  { ocsp, crls }: RevocationValues,
) {
  const anchors = [...policy.anchors, ...(policy.timestampAnchors ?? [])]
  const known = [...policy.candidates, ...anchors.map(({ certificate }) => certificate)]
  const material = {
    certificates: known.map(({ der }) => der.slice()),
    ocsp: ocsp.map(({ der }) => der),
    crls: crls.map(({ der }) => der),
  }
  await file.append(
    await file.withFile((local) => pdf.addValidationData(local, material, clock.now())),
  )
}

/** Whether the file has what the authorities say about every signer. */
async function hasAnswers(
  { pdf, clock }: Archiving,
  file: GrowingFile,
  { base, fields }: Archivable,
  trusted: VerificationPolicy,
): Promise<boolean> {
  const policy = { ...trusted, at: clock.now() }
  const options = { isPatient: true, budget: {} }
  const report = await file.withFile((local) => pdf.verify(local, base.fileName, policy, options))
  return isAtLeast(report, fields, 'B-LT')
}

const policyFor = ({ trust, clock }: Archiving, { base }: Archivable) =>
  trust.policy(clock.now(), base.officeId)

/** Verifies with the data in the file and with today's answers of the authorities. */
async function verified(
  { pdf, revocation, clock }: Archiving,
  file: GrowingFile,
  { fileName }: DocumentVersion,
  trusted: VerificationPolicy,
): Promise<Judged> {
  return await file.withFile(async (local) => {
    const options = { isPatient: true, budget: {} }
    const questions = await pdf.questions(local, trusted, options)
    const evidence = await revocation.answersTo(questions, trusted, options)
    // Read the clock now: the timestamps just added must not lie in the future.
    const policy = { ...trusted, at: clock.now(), evidence }
    return { report: await pdf.verify(local, fileName, policy, options), evidence }
  })
}

type Grown = {
  /** The timestamp, if an earlier attempt got it. */
  issued: DocumentStamp | undefined
  report: VerificationReport
  before: VerificationReport
  level: 'B-T' | 'B-LTA'
}

/**
 * Whether the signatures have their level now. A timestamp that did not help an earlier attempt and does not help this one
 * is not used again; a new one may help the next, when an authority answers or a clock is right.
 *
 * @throws {Problem} `signing-forbidden-by-document` if a signature is worse than before
 */
async function proves(
  { db }: Archiving,
  { document, base, fields }: Archivable,
  { issued, report, before, level }: Grown,
): Promise<boolean> {
  const fault = faultOfArchived(report, before)
  const isProven = fault === undefined && isAtLeast(report, fields, level)
  if (!isProven && issued) await db.transaction((trx) => deleteDocumentStamp(trx, base))
  if (fault) throw new Problem('signing-forbidden-by-document', `${document.id}: ${fault}`)
  return isProven
}

async function commit(
  system: Archiving,
  seen: Archivable,
  made: {
    file: GrowingFile
    report: VerificationReport
    stamp: DocumentStamp
    isComplete: boolean
  },
): Promise<Archivable> {
  const staged = made.file.staged()
  // Durable before visible: a file without a row is litter, a row without a file is a lost deed.
  await staged.keep(seen.document.officeId)
  const { document, base } = await commitArchive(system, seen, { ...made, staged })
  return { ...seen, document, base }
}

async function wait({ db, clock }: Archiving, document: Document, fault: string) {
  const { id, officeId, version } = document
  const at = clock.now()
  await db.transaction(async (trx) => {
    const known = await findArchive(trx, id)
    const attempts = (known?.attempts ?? 0) + 1
    await replaceArchive(trx, {
      documentId: id,
      officeId,
      version,
      // A timestamp that is renewed late still holds until it expires.
      state: known?.state === 'kept' && known.version === version ? 'kept' : 'waiting',
      stateSince: known?.stateSince ?? at,
      attempts,
      dueAt: nextTry(attempts, at),
      holdsUntil: known?.holdsUntil ?? null,
      fault,
    })
  })
}
