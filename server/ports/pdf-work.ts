import type { AuthorityBundle } from '#server/domain/cms/authority-bundle.ts'
import type { DescribedFile } from '#server/domain/efirma/describe-file.ts'
import type { EfirmaProblem } from '#server/domain/efirma/diagnosis.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { PageSize } from '#server/domain/pdf/page-size.ts'
import type { ValidationMaterial } from '#server/domain/pdf/security-store.ts'
import type { UnseenContent } from '#server/domain/pdf/unseen-content.ts'
import type {
  EvidenceSheetFacts,
  SignatureValues,
} from '#server/domain/signing/evidence-sheet-facts.ts'
import type {
  CheckedIncrement,
  PreparedIncrement,
  PreparedSheet,
  SheetPlan,
  SignaturePlan,
} from '#server/domain/signing/increment.ts'
import type { ReportText } from '#server/domain/signing/report-paper.ts'
import type { SignersRevocation } from '#server/domain/signing/signers-revocation.ts'
import type { StampOutlook, StampQuery } from '#server/domain/signing/stamp/stamp-outlook.ts'
import type { Instant } from '#server/domain/time.ts'
import type { AnswerReading, AskedConstancia } from '#server/domain/timestamp/constancia-answer.ts'
import type { CertificateFacts } from '#server/domain/trust/certificate-facts.ts'
import type { Chain } from '#server/domain/verification/evidence-package/chain.ts'
import type { ProofSection } from '#server/domain/verification/evidence-package/section.ts'
import type { ConstanciaReport, VerificationReport } from '#server/domain/verification/report.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { ChangedPage } from '#server/domain/verification/visible-changes.ts'
import type { AttestationReading } from '#server/domain/yubikeys/attestation-reading.ts'
import type { ReadableFile } from './blobs.ts'
import type { TaskOptions } from './file-budget.ts'
import type { AnswerToJudge, AuthorityQuestion, JudgedAnswer } from './revocation-source.ts'
import type { TextComparison } from './text-comparison.ts'
import type { StampAnswer, StampOutcome } from './timestamp-authorities.ts'

/**
 * Everything that reads an untrusted PDF, in a worker that is ended when it exceeds its limits of time or
 * memory. One bad PDF must not stop the office. A task that exceeds them fails with `pdf-too-complex`, of kind
 * `timed-out` if it was time.
 */
export type PdfWork = {
  /** Whether another patient task would be refused. */
  isCrowded(): boolean
  /** Inspects an uploaded document. @throws {Problem} see `inspectUpload` */
  inspect(file: ReadableFile, options?: TaskOptions): Promise<PdfInspection>
  /**
   * The questions to authorities about the certificates in the signatures, timestamps and validation data of a
   * file, at most 20; empty for an unreadable file. The file's author controls the cost, up to seconds.
   */
  questions(
    file: ReadableFile,
    policy: VerificationPolicy,
    options?: JudgingOptions,
  ): Promise<AuthorityQuestion[]>
  /** The same about certificates that are not in a file, DER. */
  questionsAbout(
    certificates: readonly Uint8Array[],
    policy: VerificationPolicy,
    options?: TaskOptions,
  ): Promise<AuthorityQuestion[]>
  /**
   * Whether the certificate of a signer was revoked, by the evidence of the policy.
   *
   * @param path DER, from the signer to its issuer or the anchor
   */
  signersRevocation(
    path: readonly Uint8Array[],
    policy: VerificationPolicy,
  ): Promise<SignersRevocation>
  /** What an authority's answer says, if it is proven to be its word. A list may have 10 MB. */
  judgeAnswer(answer: AnswerToJudge): Promise<JudgedAnswer>
  /** Whether an authority's answer is the timestamp that was requested, under an anchor of the policy. */
  acceptStamp(answer: StampAnswer, policy: VerificationPolicy): Promise<StampOutcome>
  /** Whether a provider's answer is worth keeping: see `readAnswer`. */
  readConstancia(answer: Uint8Array, asked: AskedConstancia): Promise<AnswerReading>
  /** The questions to authorities about the certificates in a constancia. */
  questionsAboutConstancia(
    answer: Uint8Array,
    policy: VerificationPolicy,
  ): Promise<AuthorityQuestion[]>
  /** @param sha256 of the file that was preserved */
  judgeConstancia(
    answer: Uint8Array,
    sha256: Sha256,
    policy: VerificationPolicy,
  ): Promise<ConstanciaReport>
  verify(
    file: ReadableFile,
    name: string,
    policy: VerificationPolicy,
    options?: JudgingOptions,
  ): Promise<VerificationReport>
  /**
   * Prepares the signature sheet of a file, with an empty field for each signer.
   *
   * @throws {Problem} `signing-forbidden-by-document`, `encrypted-pdf`, `damaged-pdf`
   */
  prepareSheet(file: ReadableFile, plan: SheetPlan): Promise<PreparedSheet>
  /**
   * @throws {Problem} `signing-forbidden-by-document`, `encrypted-pdf`, `damaged-pdf`; `stale-version` when the
   *   planned field does not exist or is signed
   */
  prepare(file: ReadableFile, plan: SignaturePlan): Promise<CheckedIncrement>
  /**
   * The end of the revision that each signature covers, in bytes, in report order; null for a signature that
   * covers no whole revision.
   */
  signedRevisions(file: ReadableFile, options?: TaskOptions): Promise<(number | null)[]>
  /** What the certificates in a file of authorities are. @param name of the file */
  readAuthorities(file: Uint8Array, name: string): Promise<AuthorityBundle>
  /** What a stored certificate says, and its chain under the anchors of the policy. @param der as it was stored */
  describeCertificate(der: Uint8Array, policy: VerificationPolicy): Promise<CertificateFacts>
  /** What a file of unknown kind is: see the domain's `describeFile`. */
  describeFile(file: Uint8Array, now: Instant): Promise<DescribedFile>
  /** Whether a file is the certificate of an e.firma of the holder with this RFC, valid at the time of the policy. */
  acceptCertificate(
    file: Uint8Array,
    rfc: string,
    policy: VerificationPolicy,
  ): Promise<CertificateReading>
  /**
   * What a YubiKey says of a key that it made, and whether its maker stands behind it.
   *
   * @param files of the attestation
   * @param makers DER of the maker's certificates that count
   */
  readAttestation(
    files: readonly Uint8Array[],
    makers: readonly Uint8Array[],
    at: Instant,
  ): Promise<AttestationReading>
  /** The contents of a signed file that its evidence sheet shows. @throws {Problem} `damaged-pdf` */
  signatureContents(
    file: ReadableFile,
    options?: Pick<TaskOptions, 'budget'>,
  ): Promise<SignedContents>
  /** The evidence sheet as a PDF. Patient, like `verify` with `isPatient`. */
  evidenceSheet(facts: EvidenceSheetFacts): Promise<Uint8Array>
  /** What proves the signatures and the constancia of a file to other programs. @throws {Problem} `damaged-pdf` */
  proveSignatures(
    file: ReadableFile,
    subject: SignaturesToProve,
    policy: VerificationPolicy,
    options?: Pick<TaskOptions, 'budget'>,
  ): Promise<ProvenSignatures>
  /** What proves the words of authorities about the certificates of these chains. @throws {Problem} `damaged-pdf` */
  proveRevocation(
    file: ReadableFile,
    subject: RevocationToProve,
    policy: VerificationPolicy,
    options?: Pick<TaskOptions, 'budget'>,
  ): Promise<ProofSection[]>
  /**
   * The increment that adds validation data for the file's signatures. Patient.
   *
   * @param material beside the certificates in the file; may contain more than is needed
   * @throws {Problem} `encrypted-pdf`, `damaged-pdf`
   */
  addValidationData(
    file: ReadableFile,
    material: ValidationMaterial,
    at: Instant,
  ): Promise<Uint8Array>
  /**
   * Prepares a document timestamp: everything that can be done without the authority. Patient.
   *
   * @param contentsSize bytes reserved for the token
   * @throws {Problem} `encrypted-pdf`, `damaged-pdf`
   */
  prepareDocumentStamp(file: ReadableFile, contentsSize: number): Promise<PreparedIncrement>
  /** A verdict as a PDF. Patient, like `verify` with `isPatient`. */
  report(text: ReportText): Promise<Uint8Array>
  /** Pictures of pages when signed and now, `width` pixels wide, without pages that look the same. Patient. */
  comparePages(
    file: ReadableFile,
    pages: readonly ChangedPage[],
    width: number,
    options?: Pick<TaskOptions, 'budget' | 'signal'>,
  ): Promise<ComparedPage[]>
  /** Where the next visible signature in a file that arrived signed will stand, and where else it could. */
  stampOutlook(file: ReadableFile, query: StampQuery, options?: TaskOptions): Promise<StampOutlook>
  /**
   * PNG of a signature sheet as `prepareSheet` will append it to the file.
   *
   * @param of `page` counts the sheets from 1
   * @throws {Problem} `not-found` without such a sheet; `encrypted-pdf`, `damaged-pdf`
   */
  sheetPicture(file: ReadableFile, plan: SheetPlan, of: PagePart): Promise<Uint8Array>
  /** PNG of a page or of a part of it. @throws {Problem} `not-found`, `damaged-pdf` */
  picture(file: ReadableFile, of: PagePart, options?: TaskOptions): Promise<Uint8Array>
  /**
   * The text that the file holds behind the picture of a page, which need not be what the picture shows.
   *
   * @param page counts from 1
   * @throws {Problem} `not-found`, `damaged-pdf`
   */
  pageText(file: ReadableFile, page: number, options?: TaskOptions): Promise<PageText>
  /** What changed in the text from an earlier file to this one. @throws {Problem} `damaged-pdf` */
  compareTexts(
    earlier: ReadableFile,
    file: ReadableFile,
    options?: TaskOptions,
  ): Promise<TextComparison>
  /** The sizes of all pages; 0 × 0 for one that cannot be drawn. @throws {Problem} `damaged-pdf` */
  pageSizes(file: ReadableFile, options?: TaskOptions): Promise<readonly PageSize[]>
}

export type CertificateReading =
  | {
      kind: 'accepted'
      /** DER, from the certificate to the anchor, both included. */
      path: Uint8Array[]
      /** The anchor is one for tests or demonstrations. */
      forTesting: boolean
    }
  | ({ kind: 'refused' } & EfirmaProblem)

/** A picture that is asked for. */
export type PagePart = {
  /** Counts from 1. */
  page: number
  /** Of the picture, in pixels; at most 2000. */
  width: number
  /** Only a part of the page; all of it if absent. */
  region?: Region | undefined
  /** Clockwise, beside the rotation that the page itself asks for. */
  rotate?: QuarterTurn | undefined
}

/** One of `parts` × `parts` equal parts of a page as it is shown; `row` and `column` count from 0. */
export type Region = { parts: 2 | 4; row: number; column: number }

/** In degrees. */
export type QuarterTurn = 0 | 90 | 180 | 270

export type PageText = PageSize & {
  /** In the order of the file; each begins at `x` with its base at `y`, in points from the upper left corner. */
  lines: { text: string; x: number; y: number; width: number; size: number }[]
  /** True if the page holds more than is returned. */
  isCut: boolean
}

export type JudgingOptions = TaskOptions & {
  /** The constancia submitted with the file. */
  constancia?: Uint8Array | undefined
}

export type PdfInspection = {
  pages: number
  /** Number of signatures in the file. */
  signatures: number
  /** True if no certification or lock forbids another signature. */
  mayBeSigned: boolean
  /** True if a certification forbids any change. */
  isFinal: boolean
  /** Content that pictures of the pages do not show. */
  unseen: UnseenContent[]
  /** True if a program inside the file builds its pages, which other readers cannot show. */
  isDynamicForm: boolean
}

export type SignaturesToProve = {
  report: Pick<VerificationReport, 'signatures' | 'constancia'>
  /** As its provider sent it. */
  constancia?: Uint8Array | undefined
  /** Of the times in the sentences. */
  zone: string
}

export type ProvenSignatures = {
  sections: ProofSection[]
  /** The paths of the certificates that were used. */
  chains: PlainChain[]
}

/** A chain as it crosses threads. */
export type PlainChain = Omit<Chain, 'path'> & {
  /** DER, from the certificate to its root. */
  path: Uint8Array[]
  /** Its first two certificates; undefined for a path of one. */
  ends: { certificate: Sha256; issuer: Sha256 } | undefined
}

export type RevocationToProve = {
  chains: readonly PlainChain[]
  /** OCSPResponse elements beside those in the file. */
  answers: readonly Uint8Array[]
  /** Lists of revoked certificates beside those in the file, DER. */
  lists: readonly Uint8Array[]
  at: Instant
  zone: string
}

/** What the evidence sheet of a file shows of it. */
export type SignedContents = {
  /** In report order. */
  signatures: SignatureContents[]
  /** Of the paper of the sheet. */
  sheetSize: PageSize
}

/** The contents of a signature in a file. */
export type SignatureContents = {
  /** /Reason, which the signature covers. */
  reason?: string
  /** Absent unless the signature is CMS with signed attributes. */
  values?: SignatureValues
}

/** PNGs of a page when signed and now; null if there is nothing to draw. */
export type ComparedPage = { page: number; before: Uint8Array | null; after: Uint8Array | null }
