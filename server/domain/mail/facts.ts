import type { Instant } from '#server/domain/time.ts'

/** The documents to sign. */
export type SigningFacts = {
  /** Title of the signing session. */
  title: string
  /** Titles of its documents, in order. */
  documents: readonly string[]
}

/** A request to sign. */
type RequestFacts = SigningFacts & {
  /** Name of the person who asks. */
  by: string
  /** Their message to the signers. */
  message: string | null
  deadline: Instant | null
}

/** A completed session. */
type CompletedFacts = SigningFacts & {
  /** The public verification page of each document; null if the public must not find it. */
  verdicts: readonly (string | null)[]
}

/** A link that grants access to its holder until it is used or expires. */
type Secret = { secretLink: string; linkExpiresAt: Instant }

/** An address that requires a signed-in session. */
type Place = { page: string }

/** A session that ended early; `copy` if the recipient has signed. */
export type EndingFacts = { copy?: 'in-rubrica' | 'where-they-signed' } & SigningFacts &
  (
    | ({ kind: 'signing-rejected'; by: string; reason: string } & Partial<Place>)
    | { kind: 'signing-cancelled'; by: string; reason: string | null }
  )

/** Mail without a secret. */
export type OpenMailFacts =
  | ({ kind: 'signing-turn' } & RequestFacts & Place)
  | ({ kind: 'signing-reminder' } & RequestFacts & Place)
  | ({ kind: 'signing-completed'; copy: 'attached' } & CompletedFacts)
  | ({ kind: 'signing-completed'; copy: 'attached' | 'in-rubrica' } & CompletedFacts & Place)
  | EndingFacts
  | ({ kind: 'signing-expired'; deadline: Instant } & SigningFacts & Partial<Place>)
  | ({ kind: 'signer-replaced' } & SigningFacts)
  /** The words of the alert. */
  | { kind: 'alert'; title: string; text: string }
  /** One line for each title. `hasMore`: there are more than were read. */
  | { kind: 'alert-digest'; lines: readonly string[]; hasMore: boolean }

/** A code with which an external signer rejects. */
type RejectionCodeFacts = SigningFacts & {
  kind: 'rejection-code'
  /** In the groups that a person types. */
  code: string
  codeExpiresAt: Instant
}

/** Mail with a secret link or code: sealed until it is sent, then erased. */
export type SecretMailFacts =
  | ({ kind: 'signing-invitation' } & RequestFacts & Secret)
  | ({ kind: 'signing-reminder' } & RequestFacts & Secret)
  /** The link leads to the copies if they are too large to attach. */
  | ({ kind: 'signing-completed' } & CompletedFacts & Secret)
  | RejectionCodeFacts
  /** `code` in the groups that a person types. */
  | ({ kind: 'account-invitation' | 'account-recovery'; by: string; code: string } & Secret)

export type MailFacts = OpenMailFacts | SecretMailFacts
