import type { ValidationMaterial } from '#server/domain/pdf/security-store.ts'
import type { EvidenceSheetFacts, SignatureValues } from '#server/domain/signing/evidence.ts'
import type {
  CheckedIncrement,
  PreparedIncrement,
  PreparedSheet,
  SheetPlan,
  SignaturePlan,
} from '#server/domain/signing/prepare.ts'
import type { ReportText } from '#server/domain/signing/report-paper.ts'
import type { Instant } from '#server/domain/time.ts'
import type { RevocationInquiry } from '#server/domain/trust/revocation-inquiries.ts'
import type { FileMaterial } from '#server/domain/verification/evidence/material.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { ChangedPage } from '#server/domain/verification/visible-changes.ts'

/**
 * Whatever reads a stranger's PDF, in a process of its own that is ended when it takes more than its
 * share of time or memory. One bad PDF must not stop the office.
 */
export type PdfWork = {
  /** So many patient tasks wait that one more would be refused. */
  isCrowded(): boolean
  /** What a document is before it is taken in. @throws {Problem} see `inspectUpload` */
  inspect(path: string): Promise<PdfInspection>
  /** @param options.isPatient lets all other work go first, and never takes all of the machine; refused with
   *   `too-many-attempts` when too many wait already
   * @param options.constancia what was shown with the file as its constancia */
  verify(
    path: string,
    name: string,
    policy: VerificationPolicy,
    options?: { isPatient?: boolean; constancia?: Uint8Array | undefined },
  ): Promise<VerificationReport>
  /**
   * What gives a file its signature sheet, with an empty field for each who will sign.
   *
   * @throws {Problem} `signing-forbidden-by-document`, `encrypted-pdf`, `damaged-pdf`
   */
  prepareSheet(path: string, plan: SheetPlan): Promise<PreparedSheet>
  /**
   * @throws {Problem} `signing-forbidden-by-document`, `encrypted-pdf`, `damaged-pdf`; `stale-version` when the
   *   field of the plan is not there or is signed already
   */
  prepare(path: string, plan: SignaturePlan): Promise<CheckedIncrement>
  /**
   * DER of the certificates in the signatures and timestamps of a file, and in what it keeps for judging them;
   * none for a file that cannot be read.
   */
  certificates(
    path: string,
    options?: { isPatient?: boolean; constancia?: Uint8Array | undefined },
  ): Promise<Uint8Array[]>
  /**
   * Whom to ask about the certificates of a file. To find out takes as long as who made the file wants, up to
   * seconds. @throws {Problem} `pdf-too-complex`
   */
  inquiries(
    certificates: readonly Uint8Array[],
    policy: VerificationPolicy,
    options?: { isPatient?: boolean },
  ): Promise<RevocationInquiry[]>
  /**
   * Where the revision ends that each signature covers, in bytes and in the order of the report; null for a
   * signature that covers no whole one. @throws {Problem} `damaged-pdf`
   */
  signedRevisions(path: string, options?: { isPatient?: boolean }): Promise<(number | null)[]>
  /** What each signature says and is, in the order of the report. @throws {Problem} `damaged-pdf` */
  signatureContents(path: string): Promise<SignatureContents[]>
  /** The sheet of evidence as a PDF. Patient, as `verify` can be. */
  evidenceSheet(facts: EvidenceSheetFacts): Promise<Uint8Array>
  /** What a signed file holds, as files of their own for other programs. @throws {Problem} `damaged-pdf` */
  material(path: string): Promise<FileMaterial>
  /**
   * What is appended to a file to keep in it what speaks for its signatures. Patient.
   *
   * @param material of which it takes what concerns them
   * @throws {Problem} `encrypted-pdf`, `damaged-pdf`
   */
  addValidationData(path: string, material: ValidationMaterial, at: Instant): Promise<Uint8Array>
  /**
   * The half of a document timestamp that needs no authority. Patient.
   *
   * @param contentsSize room for the token, in bytes
   * @throws {Problem} `encrypted-pdf`, `damaged-pdf`
   */
  prepareDocumentStamp(path: string, contentsSize: number): Promise<PreparedIncrement>
  /** A verdict as a PDF. Patient, as `verify` can be. */
  report(text: ReportText): Promise<Uint8Array>
  /**
   * Pages as they were when they were signed and as they are now, `width` pixels wide; those that look alike are
   * left out. Patient. @throws {Problem} `too-large`, `pdf-too-complex`, `damaged-pdf`
   */
  comparePages(path: string, pages: readonly ChangedPage[], width: number): Promise<ComparedPage[]>
  /** PNG of page `page` (counts from 1), `width` pixels wide. @throws {Problem} `not-found`, `damaged-pdf` */
  picture(path: string, page: number, width: number): Promise<Uint8Array>
}

export type PdfInspection = {
  pages: number
  /** Signatures that the file brought along. */
  signatures: number
  /** Nothing in the file forbids another signature: no certification, no lock. */
  mayBeSigned: boolean
  /** A certification forbids any change: nothing is ever appended. */
  isFinal: boolean
}

/** A signature as it stands in a file. */
export type SignatureContents = {
  /** /Reason, which is part of what was signed. */
  reason?: string
  /** Absent for a signature of another kind than CMS with signed attributes. */
  values?: SignatureValues
}

/** PNGs of a page as it was signed and as it is now; null where there is nothing that could be drawn. */
export type ComparedPage = { page: number; before: Uint8Array | null; after: Uint8Array | null }
