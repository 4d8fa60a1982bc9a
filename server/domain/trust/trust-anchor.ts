import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

/** Where the word of an authority comes from, and how much we ask beside it. */
export type TrustAnchor = {
  certificate: Certificate
  /** For people, es-MX: `Autoridad de demostración`, `Indicada con --trust`. */
  label: string
  /** Everything said under it carries "de prueba". */
  forTesting: boolean
  /** `required`: never green without an answer. `when-available`: green with a warning. */
  revocation: 'required' | 'when-available'
  /** Where the authorities under it are asked about certificates (OCSP); absent: nowhere. */
  ocsp?: readonly string[]
  /** Where it publishes lists of the certificates that it issued and revoked; absent: nowhere. */
  lists?: readonly string[]
  /** Certificates under it may name other places to ask, on any host. */
  believesAddresses?: boolean
}

/** Whose word about certificates counts by decision, and not only because an authority delegated it. */
export type TrustedResponder = {
  certificate: Certificate
  /** SHA-256 of the certificates of the authorities for which it answers; about others it is a stranger. */
  authorities: readonly string[]
}

/**
 * The responders that may answer for an authority.
 *
 * @param issuer the authority, DER
 * @see RFC 6960, 4.2.2.2: "local configuration"
 */
export function respondersFor(
  issuer: Uint8Array,
  responders: readonly TrustedResponder[] = [],
): Certificate[] {
  const digest = sha256(issuer)
  return responders
    .filter(({ authorities }) => authorities.includes(digest))
    .map(({ certificate }) => certificate)
}
