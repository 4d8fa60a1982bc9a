import type { Instant } from '#server/domain/time.ts'

/** What is to be signed. */
export type SigningFacts = {
  /** Of the signing session. */
  title: string
  /** Titles of its documents, in order. */
  documents: readonly string[]
}

/** What is asked of a signer. */
type RequestFacts = SigningFacts & {
  /** Whoever asks, by name. */
  by: string
  /** What they wrote to the signers. */
  message: string | null
  deadline: Instant | null
}

/** What came of it. */
type CompletedFacts = SigningFacts & {
  /** Public pages, one a document, where anybody sees the verdict: `…/verify/<code>`. */
  verdicts: readonly string[]
}

/** A link that opens something for whoever has it, until it was used or has expired. */
type Secret = { secretLink: string; linkExpiresAt: Instant }

/** An address that opens nothing for whoever is not signed in. */
type Place = { page: string }

/** That a session ends before everybody has signed; `copy` where whoever it is written to has signed. */
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
  /** What the alert says, in words already. */
  | { kind: 'alert'; title: string; text: string }

/** Mail with a link that must reach nobody else: it is sealed until it is sent, and then forgotten. */
export type SecretMailFacts =
  | ({ kind: 'signing-invitation' } & RequestFacts & Secret)
  | ({ kind: 'signing-reminder' } & RequestFacts & Secret)
  /** The link leads to the copies, where they are too large to go along. */
  | ({ kind: 'signing-completed' } & CompletedFacts & Secret)
  /** `code` as a person types it, in groups. */
  | ({ kind: 'account-invitation' | 'account-recovery'; by: string; code: string } & Secret)

export type MailFacts = OpenMailFacts | SecretMailFacts
