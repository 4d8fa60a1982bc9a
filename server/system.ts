import type { KeyObject } from 'node:crypto'
import type { Database } from './db/database.ts'
import type { ByteSource } from './domain/bytes.ts'
import type { TrustAnchor } from './domain/certificates/trust-anchor.ts'
import type { Certificate } from './domain/efirma/certificate.ts'
import type { PasswordRating } from './domain/identity/password.ts'
import type {
  AssertionAnswer,
  KeyRefusal,
  RegistrationAnswer,
} from './domain/identity/webauthn-answer.ts'
import type { KeySighting, WebauthnCredential } from './domain/identity/webauthn-credential.ts'
import type { MailId, Sha256 } from './domain/ids.ts'
import type { ValidationMaterial } from './domain/pdf/security-store.ts'
import type { RevocationEvidence } from './domain/revocation/evidence.ts'
import type { EvidenceSheetFacts, SignatureValues } from './domain/signing/evidence.ts'
import type {
  PreparedIncrement,
  PreparedSheet,
  SheetPlan,
  SignaturePlan,
} from './domain/signing/prepare.ts'
import type { ReportText } from './domain/signing/report-paper.ts'
import type { Instant } from './domain/time.ts'
import type { ServiceProvider } from './domain/timestamp/service-provider.ts'
import type { FileMaterial } from './domain/verification/evidence/material.ts'
import type { VerificationReport } from './domain/verification/report.ts'
import type { VerificationPolicy } from './domain/verification/verify-file.ts'
import type { ChangedPage } from './domain/verification/visible-changes.ts'

/** Everything that we ask of the outside, with its promises. Types only. */
export type System = {
  readonly db: Database
  readonly clock: Clock
  readonly blobs: Blobs
  readonly passwords: Passwords
  readonly vault: Vault
  readonly webauthn: Webauthn
  readonly pdf: PdfWork
  readonly trust: TrustStore
  readonly revocation: RevocationSource
  readonly timestamps: TimestampAuthorities
  readonly constancias: ConstanciaProviders
  /** Null where no server for mail is set: the outbox keeps everything, and administrators read it. */
  readonly mailer: Mailer | null
  /** Null where no module of a maker is configured. */
  readonly tokens: KeyTokens | null
  readonly settings: Settings
}

/** What the start decided and nobody changes while the process runs. */
export type Settings = {
  /** `https://rubrica.notaria.mx`, without a slash: cookies, links and QR codes come from it alone. */
  readonly publicOrigin: string
  /** A demo office says "de prueba" on every page and in every verdict. */
  readonly isDemo: boolean
  readonly uploadLimit: number
  /** Signs the CSRF tokens; 32 random bytes, never in the database. */
  readonly csrfKey: KeyObject
  /** Derives the tokens of sessions from each other; 32 bytes, never in the database. */
  readonly tokenKey: Uint8Array
}

export type Clock = { now(): Instant }

/** Contents of documents, each named by its SHA-256. */
export type Blobs = {
  /**
   * Streams to a temporary file, hashing on the way. Nothing can see it before `keep`.
   *
   * @param limit most bytes to take
   * @throws {Problem} `too-large`
   */
  stage(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    limit: number,
  ): Promise<StagedBlob>
  /**
   * Stages the blob `base` with `tail` behind it, durably: nothing can see it before `keep`. Its digest is what
   * `read` finds, who reads all of the file as it is on the disk; if that throws, nothing stays.
   */
  append<T extends { sha256: string }>(
    base: Sha256,
    tail: Uint8Array,
    read: (path: string) => Promise<T>,
  ): Promise<{ staged: StagedBlob; found: T }>
  /**
   * Lends the blob as a file of this machine while `use` runs.
   *
   * @throws {Error} if the blob is not there: a row points at a lost file, which is a bug or a disaster
   */
  withFile<T>(sha256: Sha256, use: (path: string) => Promise<T>): Promise<T>
  size(sha256: Sha256): Promise<number>
  /** The stretch `start`..`end` (half open) as a stream for a download. */
  stream(sha256: Sha256, start: number, end: number): ReadableStream<Uint8Array>
  /** The same for a copy: a piece is only good until the next one is asked for. */
  pieces(sha256: Sha256, start: number, end: number): AsyncIterable<Uint8Array>
}

export type StagedBlob = {
  readonly sha256: Sha256
  readonly bytes: number
  /** Readable until `keep` or `discard`. */
  readonly path: string
  /** The stretch `start`..`end` (half open); to be read before `keep` or `discard`. */
  stream(start: number, end: number): ReadableStream<Uint8Array>
  /** Durable once it returns: the file, its name and its folder are on the disk. May run twice. */
  keep(): Promise<void>
  discard(): Promise<void>
}

export type Passwords = {
  /** A PHC string (Argon2id). */
  hash(password: string): Promise<string>
  /** False for a wrong password; the same time is spent when `hash` is undefined (unknown account). */
  verify(hash: string | undefined, password: string): Promise<boolean>
  /** Whether the hash was made at another cost than today's: it is made anew when its owner comes in. */
  isOutdated(hash: string): boolean
  /**
   * How hard the password is to guess, for somebody who knows these words, too. The first question takes a
   * moment longer.
   */
  rate(password: string, words: readonly string[]): Promise<PasswordRating>
  /** 32 bytes of Argon2id over a short secret (a backup code) with its own salt of 16 bytes. */
  derive(secret: string, salt: Uint8Array): Promise<Uint8Array>
}

/** A secret as it lies in a row. */
export type SealedSecret = {
  /** Which of the server's keys it was sealed with. */
  readonly keyVersion: number
  /** Nonce, ciphertext and tag. */
  readonly bytes: Uint8Array
}

/** Encrypts what only this server may read, under keys that are in no database. AES-256-GCM. */
export type Vault = {
  /**
   * Under the newest key.
   *
   * @param place table, column and id of the row: opened for any other place it fails
   */
  seal(plain: Uint8Array, place: string): SealedSecret
  /** @throws {Problem} `secret-unreadable`: changed, moved to another row, or its key is gone */
  open(sealed: SealedSecret, place: string): Uint8Array
  /** The newest key: what was sealed with an older one is sealed anew. */
  readonly keyVersion: number
}

/** Whether what a security key answered is genuine. Remembers nothing: challenges and counters are rows. */
export type Webauthn = {
  /** @param challenge what this key was asked to sign, base64url */
  verifyRegistration(
    answer: RegistrationAnswer,
    challenge: string,
  ): Promise<
    | {
        kind: 'genuine'
        key: KeySighting &
          Pick<
            WebauthnCredential,
            | 'credentialId'
            | 'publicKey'
            | 'algorithm'
            | 'transports'
            | 'aaguid'
            | 'userVerification'
          > & { attestation: Uint8Array }
      }
    | { kind: 'refused'; reason: KeyRefusal }
  >
  /** The counter is told, not judged. */
  verifyAssertion(
    answer: AssertionAnswer,
    expected: {
      challenge: string
      isVerificationRequired: boolean
      key: Pick<WebauthnCredential, 'credentialId' | 'publicKey'>
    },
  ): Promise<{ kind: 'genuine'; seen: KeySighting } | { kind: 'refused'; reason: KeyRefusal }>
}

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
  prepare(path: string, plan: SignaturePlan): Promise<PreparedIncrement>
  /**
   * DER of the certificates in the signatures and timestamps of a file, and in what it keeps for judging them;
   * none for a file that cannot be read.
   */
  certificates(
    path: string,
    options?: { isPatient?: boolean; constancia?: Uint8Array | undefined },
  ): Promise<Uint8Array[]>
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

/** A signature as it stands in a file. */
export type SignatureContents = {
  /** /Reason, which is part of what was signed. */
  reason?: string
  /** Absent for a signature of another kind than CMS with signed attributes. */
  values?: SignatureValues
}

/** PNGs of a page as it was signed and as it is now; null where there is nothing that could be drawn. */
export type ComparedPage = { page: number; before: Uint8Array | null; after: Uint8Array | null }

export type PdfInspection = {
  pages: number
  /** Signatures that the file brought along. */
  signatures: number
  /** Nothing in the file forbids another signature: no certification, no lock. */
  mayBeSigned: boolean
  /** A certification forbids any change: nothing is ever appended. */
  isFinal: boolean
}

/** The authorities that this office trusts, as they stand now: a decision counts from its commit on. */
export type TrustStore = {
  policy(now: Instant): Promise<VerificationPolicy>
  /** Changes whenever an anchor does: a verdict that was reached under another one is not reused. */
  fingerprint(): Promise<string>
  /** Those that came with the installation and that nobody decided about: of a demo, its own. */
  readonly builtIn: readonly TrustAnchor[]
}

/** What authorities say about certificates, asked where the anchors of the policy say. */
export type RevocationSource = {
  /**
   * The answers at hand about these certificates, from memory while they are young and asked for otherwise.
   * Ends within a few seconds with whatever has come by then: an authority that is down leaves its certificates
   * without an answer, and never makes this throw. Nothing that comes back is believed yet. Never inside of a
   * transaction.
   *
   * @param certificates DER of those in a file, signers and authorities alike
   */
  answersAbout(
    certificates: readonly Uint8Array[],
    policy: VerificationPolicy,
  ): Promise<RevocationEvidence>
}

/** Whom an office asks for timestamps. */
export type TimestampAuthority = {
  /** As the office calls it. */
  name: string
  url: string
  login: { username: string; password: string } | null
  /** Under which rules it must work; null: whichever are its own. */
  policy: string | null
}

/** `reason` is for the log: a status, what the network said, or a `TimeStampFault`. */
export type TimestampFailure = { name: string; reason: string }

export type TimestampOutcome =
  | {
      kind: 'stamped'
      /** The token alone, as it came. */
      token: Uint8Array
      time: Instant
      /** From the authority's certificate to the anchor, both included. */
      path: readonly Certificate[]
      /** Which of them answered. */
      by: string
      /** Of those that were asked before. */
      failures: readonly TimestampFailure[]
    }
  | { kind: 'unavailable'; failures: readonly TimestampFailure[] }

/** Timestamps (RFC 3161). */
export type TimestampAuthorities = {
  /**
   * A timestamp of the first of these authorities whose answer is to this very request, whole, and signed by
   * somebody under an anchor of the policy. Each has ten seconds; one that is down, refuses or answers anything
   * else costs its time and is named, and never makes this throw. Never inside of a transaction.
   *
   * @param digest SHA-256 of what is stamped
   */
  stamp(
    digest: Uint8Array,
    authorities: readonly TimestampAuthority[],
    policy: VerificationPolicy,
  ): Promise<TimestampOutcome>
}

/** Whoever gives constancias of conservation (NOM-151-SCFI-2016), asked over HTTP. */
export type ConstanciaProviders = {
  /**
   * Sends the request, which is repeated as it is after a failure, so that the provider can tell that it was
   * answered already. Ends within a minute. Never throws for what the provider does; nothing that comes back is
   * believed yet. Never inside of a transaction.
   *
   * @throws {Problem} `secret-unreadable` when the password of the provider does not open
   */
  ask(provider: ServiceProvider, request: Uint8Array): Promise<ProviderAnswer>
}

export type ProviderAnswer =
  | { kind: 'answered'; body: Uint8Array }
  /** `reason` is for the log. */
  | { kind: 'failed'; isSlow: boolean; reason: string }

/** Hands mail over to a server. */
export type Mailer = {
  /**
   * Ends within a minute, and never throws for what a server says or does. The same mail always has the same
   * Message-ID: of two copies a receiver may drop one. Never inside of a transaction.
   */
  send(mail: OutgoingMail): Promise<Delivery>
}

export type OutgoingMail = {
  readonly id: MailId
  readonly to: { name: string; address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  /** When it was written; its date for the reader. */
  readonly at: Instant
  /** Each name once. */
  readonly attachments: readonly { name: string; content: ReadableStream<Uint8Array> }[]
}

/** What came of handing a mail over; `answer` is what the server said, one line. */
export type Delivery =
  /** It is the server's now. */
  | { kind: 'accepted' }
  /** Never: nobody has this address, or the server wants no such mail. */
  | { kind: 'refused'; answer: string }
  /** Not now. */
  | { kind: 'delayed'; answer: string }
  /** The server cannot be reached or does not let us in: any other mail would fare the same. */
  | { kind: 'unreachable'; answer: string }

/** Keys that never leave their token: a smart card, a YubiKey, an HSM. */
export type KeyTokens = {
  /**
   * Lends what is plugged in while `use` runs. Nobody else's work is behind a PIN that is given in it, and code
   * of a maker that crashes or hangs ends `use` and nothing else.
   */
  withTokens<T>(use: (tokens: OpenTokens) => Promise<T>): Promise<T>
}

/** Each throws {@link TokenError}, whose message never holds a PIN. */
export type OpenTokens = {
  /** Those in the tokens that can be seen without a PIN. @param token only those in the token of this name */
  certificates(token?: string): Promise<TokenCertificate[]>
  /** Opens the token in which it is, until `use` ends. A wrong PIN counts there, and is never tried twice; the last try is left to the owner. */
  login(certificate: TokenCertificate, pin: string): Promise<void>
  /** RSASSA-PKCS1-v1_5 with SHA-256 over the bytes, by the key of that certificate. */
  sign(certificate: TokenCertificate, bytes: Uint8Array): Promise<Uint8Array>
}

export type TokenCertificate = {
  /** The name of the token. */
  readonly token: string
  /** The number that its maker gave to the token; empty where it has none. */
  readonly serial: string
  readonly certificate: Certificate
}

/** A file that is open for reading; must be closed. */
export type OpenFile = ByteSource & { close(): void }
