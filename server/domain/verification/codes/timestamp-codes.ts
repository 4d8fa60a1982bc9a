import type { NoParameters } from './coded-fact.ts'

/** Why a timestamp does not count. */
export type TimestampCodes = {
  /** The timestamp is over other data. */
  'timestamp-imprint-differs': NoParameters
  /** The digest of the timestamp is unknown. */
  'timestamp-digest-unsupported': NoParameters
  /** The timestamp does not bring the certificate of its authority. */
  'timestamp-certificate-missing': NoParameters
  /** The digest over the content of the timestamp differs. */
  'timestamp-content-differs': NoParameters
  /** The signature of the timestamp does not verify with the key of its authority. */
  'timestamp-signature-differs': NoParameters
  /** The timestamp does not state, or misstates, which certificate made it. */
  'timestamp-certificate-not-bound': NoParameters
  /** The timestamp breaks the format. */
  'timestamp-malformed': NoParameters
  /** The timestamp has critical extensions that are unknown. */
  'timestamp-critical-extension': NoParameters
  /** The certificate is not for timestamping. */
  'timestamp-not-for-time-stamping': NoParameters
  /** The timestamp cannot be read. */
  'timestamp-unreadable': NoParameters
  /** The file has more timestamps than are checked. */
  'too-many-timestamps': NoParameters
  /** The timestamp is a copy of another one in the file. */
  'timestamp-copied': NoParameters
  /** The timestamp was copied from another signature. */
  'timestamp-of-other-signature': NoParameters
  /** The same timestamp is there twice and counts once. */
  'timestamp-repeated': NoParameters
  /** The time of the timestamp is in the future. */
  'timestamp-in-future': NoParameters
  /** A timestamp that proves that this one existed is earlier. */
  'timestamp-after-its-proof': NoParameters
  /** The timestamp uses a weak algorithm. */
  'timestamp-algorithm-weak': NoParameters
  /** No trust anchor issued the certificate of the authority. */
  'timestamp-authority-unknown': NoParameters
  /** The certificate of the authority has expired, and no newer timestamp preserves this one. */
  'timestamp-certificate-expired': { notAfter: string }
  /** The timestamp is older than the certificate of its authority. */
  'timestamp-before-certificate': NoParameters
  /** The certificate path of the authority breaks the rules. */
  'timestamp-chain-rules-broken': NoParameters
  /** The certificate of the authority was revoked. */
  'timestamp-certificate-revoked': { revokedAt: string }
  /** An authority above that of the timestamp was revoked. */
  'timestamp-authority-revoked': NoParameters
  /** The anchor requires an answer about the authority, and there is none. */
  'timestamp-revocation-unknown': NoParameters
  /** It was not checked whether the certificate of the authority was revoked. */
  'timestamp-revocation-not-checked': NoParameters
  /** It was not checked whether an authority above that of the timestamp was revoked. */
  'timestamp-authority-revocation-not-checked': NoParameters
  /** The root of the constancias did not issue the certificate. */
  'constancia-root-differs': NoParameters
  /** The constancia does not state exactly which certificate made it. */
  'constancia-certificate-not-bound': NoParameters
}
