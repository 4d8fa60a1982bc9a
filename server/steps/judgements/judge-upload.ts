import { findLastFindings, replaceUploadJudgement } from '#server/db/documents/upload-judgements.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { Problem } from '#server/domain/problem.ts'
import { headline } from '#server/domain/verification/facts/headline-facts.ts'
import type {
  UploadFinding,
  UploadJudgement,
} from '#server/domain/verification/upload-judgement.ts'
import type { System } from '#server/system.ts'
import { sentenceOfHeadline } from '#server/words/verification/headlines.ts'
import { currentReport } from './current-report.ts'
import { inspectUpload } from './inspect-upload.ts'
import { onceMore } from './once-more.ts'

/**
 * Judges an uploaded file and stores the judgement. A file that is too complex to verify is undecided. Repeating
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
  const { findings, isPlain } = await findingsIn(system, uploaded, options)
  const { documentId, version, sha256 } = uploaded
  const named = { documentId, version, sha256, findings, at: clock.now() }
  const trustFingerprint = isPlain ? null : await trust.fingerprint()
  const verdict = isPlain ? NO_SIGNATURE : await verdictOn(system, uploaded, options)
  const judgement = { ...named, ...verdict }
  await db.transaction((trx) => replaceUploadJudgement(trx, { ...judgement, trustFingerprint }))
  return judgement
}

const NO_SIGNATURE = { verdict: 'NO_SIGNATURE', sentence: '' } as const

async function verdictOn(
  system: System,
  uploaded: DocumentVersion,
  options: { isPatient?: boolean },
): Promise<Pick<UploadJudgement, 'verdict' | 'sentence'>> {
  try {
    const { report } = await onceMore(() => currentReport(system, uploaded, options))
    return { verdict: report.verdict, sentence: sentenceOfHeadline(report.headline) }
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'too-many-attempts') throw error
    const tooComplex = sentenceOfHeadline(headline('too-complex-to-verify'))
    return { verdict: 'INDETERMINATE', sentence: tooComplex }
  }
}

/** Keeps what was found while its pages were drawn. A plain file needs no verifier. */
async function findingsIn(
  { db, blobs, pdf }: System,
  { documentId, sha256 }: DocumentVersion,
  options: { isPatient?: boolean },
): Promise<{ findings: UploadFinding[]; isPlain: boolean }> {
  const before = await findLastFindings(db, documentId)
  const kept = before.filter((one) => one === 'not-drawable')
  try {
    const inspected = await blobs.withFile(sha256, (path) => inspectUpload(pdf, path, options))
    const { signatures, unseen } = inspected
    const findings = [...new Set([...inspected.findings, ...kept])]
    return { findings, isPlain: signatures === 0 && unseen.length === 0 }
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'too-many-attempts') throw error
    return { findings: [...new Set<UploadFinding>([...before, 'not-drawable'])], isPlain: false }
  }
}
