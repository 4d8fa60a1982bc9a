/*
 * What runs in a thread of its own. Each export is one kind of task; its module is loaded when it is first
 * asked for, so that a thread that draws pages does not carry the code that verifies signatures.
 */
import { openFile } from '#server/adapters/file-source.ts'
import { loadSheetFonts } from '#server/adapters/sheet-fonts.ts'
import { type ByteSource, fromHex } from '#server/domain/bytes.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { ValidationMaterial } from '#server/domain/pdf/security-store.ts'
import type { EvidenceSheetFacts } from '#server/domain/signing/evidence-sheet-facts.ts'
import type { SheetPlan, SignaturePlan } from '#server/domain/signing/increment.ts'
import type { ReportText } from '#server/domain/signing/report-paper.ts'
import type { Instant } from '#server/domain/time.ts'
import type { AskedConstancia } from '#server/domain/timestamp/constancia-answer.ts'
import type { RevocationToProve, SignaturesToProve } from '#server/ports/pdf-work.ts'
import type { AnswerToJudge } from '#server/ports/revocation-source.ts'
import type { StampAnswer } from '#server/ports/timestamp-authorities.ts'
import { answering } from './answer.ts'
import type { CompareTask } from './compare-pages.ts'
import type { PictureTask } from './picture.ts'
import { type PolicyInTransit, unpackPolicy } from './policy-in-transit.ts'

export type InspectTask = { path: string }
export type QuestionsTask = {
  path: string
  policy: PolicyInTransit
  constancia?: Uint8Array | undefined
}
export type QuestionsAboutTask = { certificates: readonly Uint8Array[]; policy: PolicyInTransit }
export type VerifyTask = {
  path: string
  name: string
  policy: PolicyInTransit
  constancia?: Uint8Array | undefined
}
export type StampTask = StampAnswer & { policy: PolicyInTransit }
export type ReadConstanciaTask = { answer: Uint8Array; asked: AskedConstancia }
export type ConstanciaTask = { answer: Uint8Array; policy: PolicyInTransit }
export type JudgeConstanciaTask = ConstanciaTask & { sha256: Sha256 }
export type AuthoritiesTask = { file: Uint8Array; name: string }
export type SignaturesTask = { path: string; subject: SignaturesToProve; policy: PolicyInTransit }
export type RevocationTask = { path: string; subject: RevocationToProve; policy: PolicyInTransit }
export type ReportTask = { text: ReportText }
export type EvidenceSheetTask = { facts: EvidenceSheetFacts }
export type PrepareSheetTask = { path: string; plan: SheetPlan }
export type ValidationDataTask = { path: string; material: ValidationMaterial; at: Instant }
export type DocumentStampTask = { path: string; contentsSize: number }
export type PrepareTask = { path: string; plan: SignaturePlan }

export const inspect = answering(async ({ path }: InspectTask) => {
  const { inspectDocument } = await import('./inspect.ts')
  return withFile(path, inspectDocument)
})

export const verify = answering(async ({ path, name, policy, constancia }: VerifyTask) => {
  const { verifyFile } = await import('#server/domain/verification/verify-file.ts')
  return withFile(path, (source) => verifyFile(source, name, unpackPolicy(policy), { constancia }))
})

export const questions = answering(async ({ path, policy, constancia }: QuestionsTask) => {
  const { questionsIn } = await import('./questions.ts')
  return withFile(path, (source) => questionsIn(source, unpackPolicy(policy), constancia))
})

export const questionsAbout = answering(async ({ certificates, policy }: QuestionsAboutTask) => {
  const { questionsAbout: find } = await import('./questions.ts')
  return find(certificates, unpackPolicy(policy))
})

export const judgeAnswer = answering(async (answer: AnswerToJudge) => {
  const { judgeAnswer: judge } = await import('./judge-answer.ts')
  return judge(answer)
})

export const acceptStamp = answering(async ({ policy, ...answer }: StampTask) => {
  const { acceptStamp: accept } = await import('./accept-stamp.ts')
  return accept(answer, unpackPolicy(policy))
})

export const readConstancia = answering(async ({ answer, asked }: ReadConstanciaTask) => {
  const { readAnswer } = await import('#server/domain/timestamp/constancia-answer.ts')
  return readAnswer(answer, asked)
})

export const questionsAboutConstancia = answering(async ({ answer, policy }: ConstanciaTask) => {
  const { questionsAboutConstancia: find } = await import('./questions.ts')
  return find(answer, unpackPolicy(policy))
})

export const judgeConstancia = answering(
  async ({ answer, sha256, policy }: JudgeConstanciaTask) => {
    const { judgeConstancia: judge } = await import(
      '#server/domain/verification/time/judge-constancia.ts'
    )
    return judge(answer, fromHex(sha256), unpackPolicy(policy))
  },
)

export const signedRevisions = answering(async ({ path }: InspectTask) => {
  const { signedRevisionsIn } = await import('./signed-revisions.ts')
  return withFile(path, signedRevisionsIn)
})

export const prepareSheet = answering(async ({ path, plan }: PrepareSheetTask) => {
  const { prepareSheet } = await import('#server/domain/signing/prepare-sheet.ts')
  return withFile(path, (source) => prepareSheet(source, plan, loadSheetFonts()))
})

export const readAuthorities = answering(async ({ file, name }: AuthoritiesTask) => {
  const { readAuthorityBundle } = await import('#server/domain/cms/authority-bundle.ts')
  return readAuthorityBundle(file, name)
})

export const proveSignatures = answering(async ({ path, subject, policy }: SignaturesTask) => {
  const { proveSignatures: prove } = await import('./prove.ts')
  return withFile(path, (source) => prove(source, subject, unpackPolicy(policy)))
})

export const proveRevocation = answering(async ({ path, subject, policy }: RevocationTask) => {
  const { proveRevocation: prove } = await import('./prove.ts')
  return withFile(path, (source) => prove(source, subject, unpackPolicy(policy)))
})

export const prepare = answering(async ({ path, plan }: PrepareTask) => {
  const { prepareIncrement } = await import('#server/domain/signing/prepare-increment.ts')
  return withFile(path, (source) => prepareIncrement(source, plan, loadSheetFonts()))
})

export const signatureContents = answering(async ({ path }: InspectTask) => {
  const { signatureContentsIn } = await import('./signature-contents.ts')
  return withFile(path, signatureContentsIn)
})

export const evidenceSheet = answering(async ({ facts }: EvidenceSheetTask) => {
  const { renderEvidenceSheet } = await import('#server/domain/signing/evidence-sheet.ts')
  return renderEvidenceSheet(facts, loadSheetFonts())
})

export const addValidationData = answering(async ({ path, material, at }: ValidationDataTask) => {
  const { addValidationData } = await import('#server/domain/signing/long-term.ts')
  const { certificatesIn } = await import('./certificates.ts')
  return withFile(path, (source) => {
    const certificates = [...certificatesIn(source, undefined), ...material.certificates]
    return addValidationData(source, { ...material, certificates }, at)
  })
})

export const prepareDocumentStamp = answering(async ({ path, contentsSize }: DocumentStampTask) => {
  const { prepareDocumentStamp } = await import('#server/domain/signing/long-term.ts')
  return withFile(path, (source) => prepareDocumentStamp(source, contentsSize))
})

export const report = answering(async ({ text }: ReportTask) => {
  const { renderReport } = await import('#server/domain/signing/report-paper.ts')
  return renderReport(text, loadSheetFonts())
})

export const picture = answering(async (task: PictureTask) => {
  const { drawPicture } = await import('./picture.ts')
  return drawPicture(task)
})

export const comparePages = answering(async (task: CompareTask) => {
  const { comparePages: compare } = await import('./compare-pages.ts')
  return compare(task)
})

async function withFile<T>(path: string, use: (source: ByteSource) => T | Promise<T>): Promise<T> {
  const file = openFile(path)
  try {
    return await use(file)
  } finally {
    file.close()
  }
}
