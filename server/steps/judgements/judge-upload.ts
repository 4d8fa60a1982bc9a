import { findUploadedVersion } from '#server/db/documents/document-versions.ts'
import { lockLastFindings, replaceUploadJudgement } from '#server/db/documents/upload-judgements.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { isProblem, Problem } from '#server/domain/problem.ts'
import { headline } from '#server/domain/verification/codes/headline-codes.ts'
import {
  findingsThatStay,
  type UploadFinding,
  type UploadJudgement,
} from '#server/domain/verification/upload-judgement.ts'
import type { System } from '#server/system.ts'
import { currentReport } from './current-report.ts'
import { CANNOT_BE_DRAWN, inspectUpload } from './inspect-upload.ts'
import { onceMore } from './once-more.ts'

/** The version to judge. Every document has one: only an upload makes documents. */
export async function uploadedVersionOf(
  { db }: System,
  documentId: DocumentId,
): Promise<DocumentVersion> {
  const uploaded = await findUploadedVersion(db, documentId)
  if (!uploaded) throw new Error(`${documentId} was never uploaded`)
  return uploaded
}

/**
 * Judges an uploaded file and stores the judgement, unless the file was replaced meanwhile. A file that is too complex to verify is undecided. Repeating
 * the call is harmless.
 *
 * @param uploaded the version that was uploaded
 * @throws {Problem} `too-many-attempts` for patient calls while many wait
 */
export async function judgeUpload(
  system: System,
  uploaded: DocumentVersion,
  options: { isPatient?: boolean } = {},
): Promise<UploadJudgement> {
  const { db, clock, trust } = system
  const found = await findingsIn(system, uploaded, options)
  const { documentId, version, sha256 } = uploaded
  const trustFingerprint = found.isPlain ? null : await trust.fingerprint(uploaded.officeId)
  const verdict = found.isPlain ? NO_SIGNATURE : await verdictOn(system, uploaded, options)
  const named = { documentId, version, sha256, at: clock.now(), ...verdict }
  return await db.transaction(async (trx) => {
    const last = findingsThatStay(await lockLastFindings(trx, documentId), uploaded)
    const findings = allFindings(found, last)
    const judgement = { ...named, findings }
    // The file of the draft was replaced meanwhile: this judgement must not be shown beside the new one.
    if ((await findUploadedVersion(trx, documentId))?.version !== version) return judgement
    await replaceUploadJudgement(trx, { ...judgement, trustFingerprint })
    return judgement
  })
}

const NO_SIGNATURE = { verdict: 'NO_SIGNATURE', headline: null } as const

async function verdictOn(
  system: System,
  uploaded: DocumentVersion,
  options: { isPatient?: boolean },
): Promise<Pick<UploadJudgement, 'verdict' | 'headline'>> {
  try {
    const { report } = await onceMore(() => currentReport(system, uploaded, options))
    return { verdict: report.verdict, headline: report.headline }
  } catch (error) {
    if (!isProblem(error, 'pdf-too-complex')) throw error
    return { verdict: 'INDETERMINATE', headline: headline('too-complex-to-verify') }
  }
}

type Found = {
  findings: UploadFinding[]
  /** False if the inspection was refused. */
  isInspected: boolean
  /** True if the file needs no verifier. */
  isPlain: boolean
}

/** Keeps what was found while pages were drawn, and everything if nothing newer is known. */
function allFindings({ findings, isInspected }: Found, last: UploadFinding[]): UploadFinding[] {
  const kept = isInspected ? last.filter((one) => one === 'not-drawable') : last
  return [...new Set([...findings, ...kept])]
}

async function findingsIn(
  { blobs, pdf }: System,
  uploaded: DocumentVersion,
  options: { isPatient?: boolean },
): Promise<Found> {
  try {
    const inspected = await blobs.withFile(uploaded, (file) => inspectUpload(pdf, file, options))
    const { signatures, unseen, findings } = inspected
    return { findings, isInspected: true, isPlain: signatures === 0 && unseen.length === 0 }
  } catch (error) {
    if (!(error instanceof Problem) || !CANNOT_BE_DRAWN.includes(error.code)) throw error
    return { findings: ['not-drawable'], isInspected: false, isPlain: false }
  }
}
