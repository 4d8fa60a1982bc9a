import type { Duration } from './time.ts'

/**
 * Every reason to refuse. A new code does not compile until app/http/problems.ts has its status and
 * server/words/problems.ts its sentence.
 */
export type ProblemCode =
  // the actor
  | 'not-signed-in'
  | 'forbidden'
  | 'not-found'
  | 'cross-site'
  | 'too-many-attempts'
  // duties
  | 'password-change-needed'
  | 'second-factor-needed'
  | 'step-up-needed'
  // sign-in
  | 'link-spent'
  | 'weak-password'
  | 'wrong-password'
  | 'wrong-code'
  | 'factor-refused'
  | 'last-factor'
  | 'second-person-needed'
  | 'secret-unreadable'
  | 'too-many-access-tokens'
  | 'too-many-keys'
  // people of the office
  | 'account-state'
  | 'address-taken'
  | 'too-many-users'
  | 'last-administrator'
  | 'office-taken'
  // mail
  | 'mail-state'
  // the request
  | 'bad-request'
  | 'too-large'
  | 'too-slow'
  /** The chosen files together. */
  | 'archive-too-large'
  | 'report-too-long'
  | 'report-under-way'
  /** The part of the machine that serves strangers is used up; that of the office is not. */
  | 'verification-busy'
  | 'disk-full'
  /** Too many events wait for the log. */
  | 'log-busy'
  | 'database-unreachable'
  /** The database may have stored the change or not. */
  | 'commit-unknown'
  /** The store of the files does not answer, or refuses. */
  | 'files-unreachable'
  | 'wrong-state'
  | 'stale-version'
  /** The document never had all its signatures: there is nothing of which a copy could be issued. */
  | 'nothing-to-copy'
  /** The day on which a copy is said to be issued has not come. */
  | 'copy-day-ahead'
  /** Another copy of the kind was recorded since the form was shown. */
  | 'copy-ordinal-taken'
  | 'description-changed'
  /** The draft has another file than the one on the screen. */
  | 'file-changed'
  /** The draft has exactly this file. */
  | 'same-file'
  | 'someone-signing'
  | 'authority-for-testing'
  | 'too-many-authorities'
  | 'provider-refused'
  | 'provider-network'
  | 'no-constancia-provider'
  | 'view-name-taken'
  | 'too-many-views'
  // a rejected file
  | 'too-many-files'
  | 'title-missing'
  /** Parts are missing, or of another file. */
  | 'upload-incomplete'
  | 'too-many-uploads'
  | 'empty-file'
  | 'not-a-pdf'
  | 'damaged-pdf'
  | 'encrypted-pdf'
  | 'change-protected-pdf'
  | 'private-key-uploaded'
  | 'certificate-uploaded'
  | 'pdf-too-complex'
  // a signature that cannot be made
  | 'signing-forbidden-by-document'
  | 'signature-refused'
  | 'capacity-not-in-force'
  | 'document-final'
  // a visible signature
  | 'stamp-place-taken'
  | 'stamp-impossible'
  // pictures of the pages on the public page
  | 'pictures-not-allowed'
  // the public look-up of a document that is not complete
  | 'being-signed'
  | 'downloads-disabled'
  | 'office-suspended'
  | 'too-many-capacity-documents'
  | 'capacity-missing'
  | 'never-completed'
  | 'stored-file-damaged'
  | 'file-purged'
  | 'search-too-wide'
  | 'preparation-expired'
  | 'preparation-superseded'
  | 'server-signing-disabled'
  | 'timestamp-unavailable'
  // a signing session
  | 'session-state'
  | 'session-overdue'
  | 'session-over'
  | 'session-deadline'
  | 'session-incomplete'
  /** The session is not what its page showed before it was opened. */
  | 'review-outdated'
  | 'too-many-signers'
  | 'signer-twice'
  | 'signer-differs'
  /** Another party of the catalogue has the RFC, or this one is gone. */
  | 'party-known'
  /** Another act of the office has the name. */
  | 'act-known'
  | 'too-many-acts'
  // a number of the register
  /** Another document has it, or it is set apart for one. */
  | 'number-used'
  /** A reason says why it stays without a document. */
  | 'number-explained'
  /** The document has another number already. */
  | 'number-present'
  /** The sequence cannot go back behind numbers that were given. */
  | 'number-given'
  | 'number-state'
  | 'series-not-started'
  | 'series-known'
  | 'too-many-series'
  /** The act has no list of things to check. */
  | 'checklist-empty'
  /** Items of the list are done. */
  | 'checklist-begun'
  | 'too-many-checklists'
  // an obligation
  /** Another obligation of the office has the name. */
  | 'obligation-known'
  | 'too-many-obligations'
  /** Its days are not noted yet. */
  | 'obligation-without-term'
  | 'non-working-day-known'
  | 'too-many-non-working-days'
  /** The day on which it is said to be done has not come. */
  | 'done-day-ahead'
  | 'signer-signed-before'
  | 'character-missing'
  | 'character-refused'
  | 'too-many-documents'
  | 'not-a-signer'
  | 'not-your-turn'
  | 'already-signed'
  | 'document-held'
  | 'consent-needed'
  | 'signing-link-spent'
  | 'signing-link-over'
  /** The signer's link is not the one that the page showed: another was made, or it was opened or revoked. */
  | 'signing-link-changed'
  | 'reminded-already'
  | 'acknowledgement-needed'
  | 'pages-unread'
  | 'dynamic-xfa'
  | 'presence-needed'
  | 'no-address'
  /** The office has a key with this serial number. */
  | 'yubikey-known'
  /** Another request changed the key since the page was opened. */
  | 'yubikey-changed'
  | 'yubikey-state'
  /** Another key holds the credential. */
  | 'credential-linked'
  /** Its term is over, and it waits to be destroyed. */
  | 'document-blocked'
  | 'retention-state'
  /** The person who blocked it may not destroy it. */
  | 'retention-same-person'
  // a request about personal data
  /** The day has not come. */
  | 'arco-day-ahead'
  | 'arco-unproven'
  | 'arco-reason-missing'
  | 'arco-rfc-missing'
  /** It moved on, or its kind does not allow it. */
  | 'arco-state'
  | 'too-many-attestations'
  | 'too-many-maker-certificates'

/**
 * A refusal that the caller could have foreseen. Anything else that is thrown is a bug.
 *
 * `message` is for the log and may name ids; it never reaches a browser.
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  /** How long to wait before the next try. */
  readonly retryAfter: Duration | undefined
  /** Details beyond the code: the weakness of `weak-password`, `crowd` for attempts of others, the next page of `pages-unread`. */
  readonly kind: string | undefined

  constructor(
    code: ProblemCode,
    message: string,
    options?: ErrorOptions & { retryAfter?: Duration; kind?: string },
  ) {
    super(message, options)
    this.code = code
    this.retryAfter = options?.retryAfter
    this.kind = options?.kind
  }
}

/** Whether the error is a refusal with this code. */
export const isProblem = (error: unknown, code: ProblemCode): error is Problem =>
  error instanceof Problem && error.code === code
