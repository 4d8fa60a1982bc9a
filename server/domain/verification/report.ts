/*
 * What the verifier says about a file. Plain JSON values throughout: a report crosses threads, is stored,
 * is printed by the command line and is read by programs. Times are RFC 3339 in UTC.
 *
 * Terms: ETSI EN 319 102-1 for indications, ISO 32000-2 clause 12.8 for coverage and modification.
 */

import type { RevocationReason } from '#server/domain/revocation/reason.ts'
import type { ChangeFact } from './codes/change-codes.ts'
import type { ConstanciaHeadline } from './codes/constancia-codes.ts'
import type { Headline } from './codes/headline-codes.ts'
import type { Warning } from './codes/warning.ts'

/** From best to worst is not an order of this list: see `verdictOf`. */
export type Verdict = 'VALID' | 'INDETERMINATE' | 'INVALID' | 'NO_SIGNATURE' | 'NOT_A_PDF'

export type Coverage = 'ENTIRE_FILE' | 'ENTIRE_REVISION' | 'CONTIGUOUS_BLOCK_FROM_START' | 'UNCLEAR'

/** What was done to the file after the signature, least first. */
export const MODIFICATION_LEVELS = [
  'NONE',
  'LTA_UPDATES',
  'FORM_FILLING',
  'ANNOTATIONS',
  'OTHER',
] as const
export type ModificationLevel = (typeof MODIFICATION_LEVELS)[number]

export type Indication = 'TOTAL_PASSED' | 'INDETERMINATE' | 'TOTAL_FAILED'

/** @see ETSI EN 319 102-1 V1.3.1, clause 5.1.3, table 5 */
export type SubIndication =
  | 'FORMAT_FAILURE'
  | 'HASH_FAILURE'
  | 'SIG_CRYPTO_FAILURE'
  | 'REVOKED'
  | 'EXPIRED'
  | 'NOT_YET_VALID'
  | 'SIG_CONSTRAINTS_FAILURE'
  | 'CHAIN_CONSTRAINTS_FAILURE'
  | 'CERTIFICATE_CHAIN_GENERAL_FAILURE'
  | 'CRYPTO_CONSTRAINTS_FAILURE'
  | 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE'
  | 'NO_SIGNING_CERTIFICATE_FOUND'
  | 'NO_CERTIFICATE_CHAIN_FOUND'
  | 'REVOKED_NO_POE'
  | 'REVOKED_CA_NO_POE'
  | 'OUT_OF_BOUNDS_NO_POE'
  | 'OUT_OF_BOUNDS_NOT_REVOKED'
  | 'TRY_LATER'
  | 'SIGNED_DATA_NOT_FOUND'

/** One thing that a later revision changed, and how far the rules let it go. */
export type Change = ChangeFact & {
  /** Counts from 1: the revision that made the change. */
  revision: number
  level: ModificationLevel
  /** `17 0`, or `trailer`. */
  object: string
  /** Counts from 1; absent where the object belongs to no page. */
  page?: number
  /** The known attack that works by such changes; absent for allowed ones. */
  attack?: Attack
  /** The change is one that a FieldMDP of the signature forbids. */
  breaksLock?: true
}

/** Attacks on signed files that work by later revisions, as the research about them calls them. */
export type Attack =
  | 'shadow-hide'
  | 'shadow-replace'
  | 'shadow-hide-and-replace'
  | 'incremental-saving'
  | 'overlay-by-annotation'
  | 'sneaky-sharing'
  | 'trailer-or-catalog-swap'

export type SignerFacts = {
  name: string
  rfc: string | null
  curp: string | null
  /** The 20 digits that the SAT calls "número de certificado"; else the serial in hexadecimal. */
  certificateNumber: string
  issuer: string
  notBefore: string
  notAfter: string
  /** Of the certificate's DER, hexadecimal. */
  sha256: string
  kind: 'efirma-natural' | 'efirma-legal' | 'csd' | 'unknown'
  /**
   * An anchor vouches for the certificate and its key made the signature: the name is the signer's. If false, the
   * name is what the signer calls themselves.
   */
  vouched: boolean
}

export type TimestampFacts = {
  kind: 'signature' | 'document' | 'constancia'
  /** It covers its subject, and its signature is valid and of a certificate for timestamping. */
  valid: boolean
  time: string | null
  authority: string | null
  /** An anchor vouches for the authority, whose key made the timestamp; as for signers. */
  vouched: boolean
  /** It counts: a path leads from its authority to a trust anchor, and nothing stands against it. */
  trusted: boolean
  /** Why it does not count; null when it does. */
  reason: Warning | null
}

export type RevocationFacts = {
  status: 'good' | 'revoked' | 'unknown'
  source: 'ocsp' | 'crl' | 'embedded' | null
  checkedAt: string | null
  revokedAt: string | null
  reason: RevocationReason | null
}

export type SignatureReport = {
  field: string
  /** Which one of the file's signatures, from 1; absent where the report lists all of them. */
  number?: number
  kind: 'signature' | 'document-timestamp'
  subFilter: string
  level: 'B-B' | 'B-T' | 'B-LT' | 'B-LTA' | 'NOT_PADES'
  indication: Indication
  subIndication: SubIndication | null
  /** The digest over the signed bytes matches. */
  intact: boolean
  /** The signature over the signed attributes verifies with the signer's key. */
  valid: boolean
  /** A path leads to a trust anchor and held at `provenTime`, else at `claimedTime`. */
  trusted: boolean
  /** The anchor is one for tests or demonstrations: everything that is said carries "de prueba". */
  forTesting: boolean
  coverage: Coverage
  /** The worst of `changes`. */
  modification: ModificationLevel
  docMdp: { level: 1 | 2 | 3; respected: boolean } | null
  /** What the signature locks in the form. */
  fieldMdp: { action: 'All' | 'Include' | 'Exclude'; fields: string[]; respected: boolean }[]
  changes: Change[]
  signer: SignerFacts | null
  claimedTime: string | null
  provenTime: string | null
  timestamps: TimestampFacts[]
  revocation: RevocationFacts
  algorithms: { digest: string; signature: string } | null
  /** The first one says why when the indication is not TOTAL_PASSED. */
  warnings: Warning[]
}

/** What is said about a constancia that lies beside a file. Plain JSON values; times are RFC 3339 in UTC. */
export type ConstanciaReport = {
  /** `timestamp`: of an authority that gives timestamps, but is not known to give constancias. */
  kind: 'constancia' | 'timestamp' | 'none'
  /** `EARLIER_REVISION`: nothing stands against it, but it says nothing of what was added to the file since. */
  verdict: 'VALID' | 'EARLIER_REVISION' | 'INDETERMINATE' | 'INVALID' | 'NOT_A_CONSTANCIA'
  subIndication: SubIndication | null
  headline: ConstanciaHeadline
  /** It is over the whole file that was shown with it. */
  matches: boolean
  /** Of the earlier revision that it is over, from the beginning of the file; absent when it is over none. */
  revisionBytes?: number
  valid: boolean
  trusted: boolean
  forTesting: boolean
  /** Since when the file is proven to exist. */
  time: string | null
  authority: string | null
  /** As for timestamps. */
  vouched: boolean
  /** Dotted decimal of the rules under which the authority works. */
  policy: string | null
  serialNumber: string | null
  revocation: RevocationFacts | null
  warnings: Warning[]
}

export type VerificationReport = {
  /** As the caller named it. */
  file: string
  sha256: string
  bytes: number
  /** 0 when the pages cannot be counted. */
  pages: number
  encrypted: boolean
  verdict: Verdict
  headline: Headline
  /** Not all of those of a file that has very many; the warning `signatures-left-out` says so. */
  signatures: SignatureReport[]
  /** Of the constancia that was shown with the file; absent when there was none. */
  constancia?: ConstanciaReport
  /** About the file as a whole. */
  warnings: Warning[]
}
