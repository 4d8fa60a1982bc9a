import type { DocumentKind } from '#server/domain/documents/document.ts'
import type { Instant } from '#server/domain/time.ts'

/** The documents to sign, as an external signer reads of them: by name, because they are asked to sign these. */
export type NamedFacts = {
  /** Title of the signing session. */
  title: string
  /** Titles of its documents, in order. */
  documents: readonly string[]
}

/** Folio and kind of a document. */
export type NumberedDocument = { folio: string; kind: DocumentKind }

/** The same as staff read of them: others may read a mail, and titles, messages and reasons name clients. */
export type NumberedFacts = { numbered: readonly NumberedDocument[] }

export type SigningFacts = NamedFacts | NumberedFacts

/** A request to sign. */
type RequestFacts = {
  /** Name of the user who asks. */
  by: string
  deadline: Instant | null
}

/** Their message to an external signer. */
type Message = { message: string | null }

/** A completed session. */
type CompletedFacts = {
  /** The public verification page of each document; null if the public must not find it. */
  verdicts: readonly (string | null)[]
}

/** A link that grants access to its holder until it is used or expires. */
type Secret = { secretLink: string; linkExpiresAt: Instant }

/** An address that requires a signed-in session. */
type Place = { page: string }

/** A session that ended early; `copy` if the recipient has signed. */
export type EndingFacts = { copy?: 'in-rubrica' | 'where-they-signed' } & (
  | ({ kind: 'signing-rejected' } & ((NamedFacts & { reason: string }) | (NumberedFacts & Place)))
  /** `by`: the user who cancelled. */
  | ({ kind: 'signing-cancelled'; by: string } & (
      | (NamedFacts & { reason: string })
      | NumberedFacts
    ))
)

/** `none`: for the author of a session who did not sign in it. */
type StaffCopy = 'attached' | 'in-rubrica' | 'none'

/** Mail without a secret. */
export type OpenMailFacts =
  | ({ kind: 'signing-turn' } & RequestFacts & NumberedFacts & Place)
  | ({ kind: 'signing-reminder' } & RequestFacts & NumberedFacts & Place)
  | ({ kind: 'signing-completed'; copy: 'attached' } & CompletedFacts & NamedFacts)
  | ({ kind: 'signing-completed'; copy: StaffCopy } & CompletedFacts & NumberedFacts & Place)
  | EndingFacts
  | ({ kind: 'signing-expired'; deadline: Instant } & NumberedFacts & Place)
  | ({ kind: 'signer-replaced' } & SigningFacts)
  /** The words of the alert. */
  | { kind: 'alert'; title: string; text: string }
  /** One line for each title. `hasMore`: there are more than were read. */
  | { kind: 'alert-digest'; lines: readonly string[]; hasMore: boolean }
  /** `month`: as it is written. */
  | ({ kind: 'reports-ready'; month: string; count: number } & Place)

/** A code with which an external signer rejects. */
type RejectionCodeFacts = NamedFacts & {
  kind: 'rejection-code'
  /** In the groups that a person types. */
  code: string
  codeExpiresAt: Instant
}

/** Mail with a secret link or code: sealed until it is sent, then erased. */
export type SecretMailFacts =
  | ({ kind: 'signing-invitation' } & RequestFacts & Message & NamedFacts & Secret)
  | ({ kind: 'signing-reminder' } & RequestFacts & Message & NamedFacts & Secret)
  /** The link leads to the copies if they are too large to attach. */
  | ({ kind: 'signing-completed' } & CompletedFacts & NamedFacts & Secret)
  | RejectionCodeFacts
  /** `code` in the groups that a person types. */
  | ({ kind: 'account-invitation' | 'account-recovery'; by: string; code: string } & Secret)

export type MailFacts = OpenMailFacts | SecretMailFacts
