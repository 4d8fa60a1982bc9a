import type { RevocationValues } from '#server/domain/revocation/revocation-values.ts'
import type { Instant } from '#server/domain/time.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { TaskOptions } from './file-budget.ts'

/** A question to an authority about one certificate, ready to be sent: nothing in it must be read to ask it. */
export type AuthorityQuestion = {
  /** DER. */
  certificate: Uint8Array
  /** DER. */
  issuer: Uint8Array
  /** DER of the certificate above the issuer. */
  parent?: Uint8Array
  /** The OCSP request, with a nonce of its own. @see RFC 6960, 4.1.1 */
  request: Uint8Array
  /** Where responders answer (OCSP): absolute http or https addresses, tried in order. */
  addresses: readonly string[]
  /** Where lists of revoked certificates are; fetched when no responder answers. */
  lists: readonly string[]
}

/** What an authority sent for a question. */
export type AnswerToJudge = {
  question: Pick<AuthorityQuestion, 'certificate' | 'issuer' | 'parent'>
  kind: 'ocsp' | 'list'
  /** OCSPResponse or CertificateList. */
  der: Uint8Array
  /** DER of the responders that the office trusts for the issuer. */
  responders: readonly Uint8Array[]
  now: Instant
}

/** What it comes to. */
export type JudgedAnswer = {
  /** `unknown` also for an answer that is not proven to be the authority's word. */
  status: 'good' | 'revoked' | 'unknown'
  /** Whether it is an answer at all, and not a refusal or rubbish. */
  isReadable: boolean
  nextUpdate: Instant | undefined
}

/** Revocation answers, requested at the addresses that the policy's anchors trust. */
export type RevocationSource = {
  /**
   * The answers to these questions: cached while fresh, else requested. Returns after a few seconds with what
   * has arrived; an authority that is down leaves its certificates without an answer. Answers are not verified.
   * Never call it inside a transaction.
   *
   * @param questions from `PdfWork.questions`
   */
  answersTo(
    questions: readonly AuthorityQuestion[],
    policy: VerificationPolicy,
    options?: TaskOptions,
  ): Promise<RevocationValues>
  /**
   * The same about certificates that are not in a file, DER.
   *
   * @throws {Problem} `pdf-too-complex` when finding the questions took too long
   */
  answersAbout(
    certificates: readonly Uint8Array[],
    policy: VerificationPolicy,
    options?: TaskOptions,
  ): Promise<RevocationValues>
}
