/*
 * What runs in a thread of its own. Each export is one kind of task; its module is loaded when it is first
 * asked for, so that a thread that draws pages does not carry the code that verifies signatures.
 */
import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import { loadSheetFonts } from '#server/adapters/sheet-fonts.ts'
import { fromHex, memorySource } from '#server/domain/bytes.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { ValidationMaterial } from '#server/domain/pdf/security-store.ts'
import type { EvidenceSheetFacts } from '#server/domain/signing/evidence-sheet-facts.ts'
import type { SheetPlan, SignaturePlan } from '#server/domain/signing/increment.ts'
import type { ReportText } from '#server/domain/signing/report-paper.ts'
import type { StampQuery } from '#server/domain/signing/stamp/stamp-outlook.ts'
import type { Instant } from '#server/domain/time.ts'
import type { AskedConstancia } from '#server/domain/timestamp/constancia-answer.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import type { PagePart, RevocationToProve, SignaturesToProve } from '#server/ports/pdf-work.ts'
import type { AnswerToJudge } from '#server/ports/revocation-source.ts'
import type { StampAnswer } from '#server/ports/timestamp-authorities.ts'
import { answering } from './answer.ts'
import type { CompareTask } from './compare-pages.ts'
import type { CompareTextsTask } from './compare-texts.ts'
import type { PictureTask } from './picture.ts'
import { type PolicyInTransit, unpackPolicy } from './policy-in-transit.ts'

export type InspectTask = { file: ReadableFile }
export type PageTask = { file: ReadableFile; page: number }
export type QuestionsTask = {
  file: ReadableFile
  policy: PolicyInTransit
  constancia?: Uint8Array | undefined
}
export type QuestionsAboutTask = { certificates: readonly Uint8Array[]; policy: PolicyInTransit }
export type RevokedTask = { path: readonly Uint8Array[]; policy: PolicyInTransit }
export type VerifyTask = {
  file: ReadableFile
  name: string
  policy: PolicyInTransit
  constancia?: Uint8Array | undefined
}
export type StampTask = StampAnswer & { policy: PolicyInTransit }
export type ReadConstanciaTask = { answer: Uint8Array; asked: AskedConstancia }
export type ConstanciaTask = { answer: Uint8Array; policy: PolicyInTransit }
export type JudgeConstanciaTask = ConstanciaTask & { sha256: Sha256 }
export type AuthoritiesTask = { file: Uint8Array; name: string }
export type CertificateTask = { der: Uint8Array; policy: PolicyInTransit }
export type AcceptTask = { content: Uint8Array; rfc: string; policy: PolicyInTransit }
export type DescribeTask = { content: Uint8Array; now: Instant }
export type AttestationTask = {
  files: readonly Uint8Array[]
  makers: readonly Uint8Array[]
  at: Instant
}
export type SignaturesTask = {
  file: ReadableFile
  subject: SignaturesToProve
  policy: PolicyInTransit
}
export type RevocationTask = {
  file: ReadableFile
  subject: RevocationToProve
  policy: PolicyInTransit
}
export type ReportTask = { text: ReportText }
export type EvidenceSheetTask = { facts: EvidenceSheetFacts }
export type PrepareSheetTask = { file: ReadableFile; plan: SheetPlan }
export type SheetPictureTask = PrepareSheetTask & { of: PagePart }
export type StampOutlookTask = { file: ReadableFile; query: StampQuery }
export type ValidationDataTask = { file: ReadableFile; material: ValidationMaterial; at: Instant }
export type DocumentStampTask = { file: ReadableFile; contentsSize: number }
export type PrepareTask = { file: ReadableFile; plan: SignaturePlan }

export const inspect = answering(async ({ file }: InspectTask) => {
  const { inspectDocument } = await import('./inspect.ts')
  return withReadable(file, inspectDocument)
})

export const verify = answering(async ({ file, name, policy, constancia }: VerifyTask) => {
  const { verifyFile } = await import('#server/domain/verification/verify-file.ts')
  return withReadable(file, (source) =>
    verifyFile(source, name, unpackPolicy(policy), { constancia }),
  )
})

export const questions = answering(async ({ file, policy, constancia }: QuestionsTask) => {
  const { questionsIn } = await import('./questions.ts')
  return withReadable(file, (source) => questionsIn(source, unpackPolicy(policy), constancia))
})

export const questionsAbout = answering(async ({ certificates, policy }: QuestionsAboutTask) => {
  const { questionsAbout: find } = await import('./questions.ts')
  return find(certificates, unpackPolicy(policy))
})

export const signersRevocation = answering(async ({ path, policy }: RevokedTask) => {
  const { signersRevocation: judge } = await import('#server/domain/signing/signers-revocation.ts')
  return judge(path.map(readCertificate), unpackPolicy(policy))
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

export const signedRevisions = answering(async ({ file }: InspectTask) => {
  const { signedRevisionsIn } = await import('./signed-revisions.ts')
  return withReadable(file, signedRevisionsIn)
})

export const prepareSheet = answering(async ({ file, plan }: PrepareSheetTask) => {
  const { prepareSheet } = await import('#server/domain/signing/prepare-sheet.ts')
  return withReadable(file, (source) => prepareSheet(source, plan, loadSheetFonts()))
})

export const sheetPicture = answering(async ({ file, plan, of }: SheetPictureTask) => {
  const { sheetAlone } = await import('#server/domain/signing/sheet-alone.ts')
  const { drawPartOf } = await import('./picture.ts')
  const sheets = await withReadable(file, (source) => sheetAlone(source, plan, loadSheetFonts()))
  return drawPartOf(memorySource(sheets), { ...of, page: of.page + 1 })
})

export const readAuthorities = answering(async ({ file, name }: AuthoritiesTask) => {
  const { readAuthorityBundle } = await import('#server/domain/cms/authority-bundle.ts')
  return readAuthorityBundle(file, name)
})

export const describeCertificate = answering(async ({ der, policy }: CertificateTask) => {
  const { certificateFactsOf } = await import('#server/domain/trust/certificate-facts.ts')
  return certificateFactsOf(readCertificate(der), unpackPolicy(policy))
})

export const describeFile = answering(async ({ content, now }: DescribeTask) => {
  const { describeFile: describe } = await import('#server/domain/efirma/describe-file.ts')
  try {
    return describe(content, now)
  } finally {
    // It may be a private key.
    content.fill(0)
  }
})

export const acceptCertificate = answering(async ({ content, rfc, policy }: AcceptTask) => {
  const { acceptCertificate: accept } = await import('./accept-certificate.ts')
  return accept(content, rfc, unpackPolicy(policy))
})

export const readAttestation = answering(async ({ files, makers, at }: AttestationTask) => {
  const { attestationReading } = await import('#server/domain/yubikeys/attestation-reading.ts')
  return attestationReading(files, makers, at)
})

export const proveSignatures = answering(async ({ file, subject, policy }: SignaturesTask) => {
  const { proveSignatures: prove } = await import('./prove.ts')
  return withReadable(file, (source) => prove(source, subject, unpackPolicy(policy)))
})

export const proveRevocation = answering(async ({ file, subject, policy }: RevocationTask) => {
  const { proveRevocation: prove } = await import('./prove.ts')
  return withReadable(file, (source) => prove(source, subject, unpackPolicy(policy)))
})

export const prepare = answering(async ({ file, plan }: PrepareTask) => {
  const { prepareIncrement } = await import('#server/domain/signing/prepare-increment.ts')
  return withReadable(file, (source) => prepareIncrement(source, plan, loadSheetFonts()))
})

export const stampOutlook = answering(async ({ file, query }: StampOutlookTask) => {
  const { stampOutlook: foresee } = await import('#server/domain/signing/stamp/stamp-outlook.ts')
  return withReadable(file, (source) => foresee(source, query, loadSheetFonts()))
})

export const signatureContents = answering(async ({ file }: InspectTask) => {
  const { signatureContentsIn } = await import('./signature-contents.ts')
  return withReadable(file, signatureContentsIn)
})

export const evidenceSheet = answering(async ({ facts }: EvidenceSheetTask) => {
  const { renderEvidenceSheet } = await import('#server/domain/signing/evidence-sheet.ts')
  return renderEvidenceSheet(facts, loadSheetFonts())
})

export const addValidationData = answering(async ({ file, material, at }: ValidationDataTask) => {
  const { addValidationData } = await import('#server/domain/signing/long-term.ts')
  const { certificatesIn } = await import('./certificates.ts')
  return withReadable(file, (source) => {
    const certificates = [...certificatesIn(source, undefined), ...material.certificates]
    return addValidationData(source, { ...material, certificates }, at)
  })
})

export const prepareDocumentStamp = answering(async ({ file, contentsSize }: DocumentStampTask) => {
  const { prepareDocumentStamp } = await import('#server/domain/signing/long-term.ts')
  return withReadable(file, (source) => prepareDocumentStamp(source, contentsSize))
})

export const report = answering(async ({ text }: ReportTask) => {
  const { renderReport } = await import('#server/domain/signing/report-paper.ts')
  return renderReport(text, loadSheetFonts())
})

export const picture = answering(async (task: PictureTask) => {
  const { drawPicture } = await import('./picture.ts')
  return drawPicture(task)
})

export const pageText = answering(async ({ file, page }: PageTask) => {
  const { readPageText } = await import('./page-text.ts')
  return readPageText(file, page)
})

export const compareTexts = answering(async (task: CompareTextsTask) => {
  const { compareTexts: compare } = await import('./compare-texts.ts')
  return compare(task)
})

export const pageSizes = answering(async (task: InspectTask) => {
  const { pageSizes: read } = await import('./picture.ts')
  return read(task)
})

export const comparePages = answering(async (task: CompareTask) => {
  const { comparePages: compare } = await import('./compare-pages.ts')
  return compare(task)
})
