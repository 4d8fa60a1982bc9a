import {
  ID_POLICY_ADVANTAGE_SECURITY,
  ID_POLICY_DEMO_CONSTANCIA,
  ID_POLICY_NOTARIA_230,
  ID_POLICY_PSC_WORLD,
  ID_POLICY_REACHCORE_PILOT,
} from '#server/domain/asn1/object-identifiers.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

/**
 * An issuer of constancias de conservación (NOM-151-SCFI-2016) and its policies. Their certificates have no
 * timestamping purpose, so only this list distinguishes a constancia from another signature.
 */
export type ConstanciaIssuer = {
  /** Display name. */
  name: string
  /** Dotted decimals; each provider and each service has its own. */
  policies: readonly string[]
  /** SHA-256 of its certificates (DER); empty for any certificate issued by the pinned root itself. */
  certificates: readonly string[]
  environment: 'production' | 'pilot'
}

/**
 * The known issuer with this policy and certificate; undefined if there is none.
 *
 * @param certificate of the signing key
 */
export function constanciaIssuerFor(
  issuers: readonly ConstanciaIssuer[],
  policy: string,
  certificate: Certificate,
): ConstanciaIssuer | undefined {
  return issuers.find(
    ({ policies, certificates }) =>
      policies.includes(policy) &&
      (certificates.length === 0 || certificates.includes(sha256(certificate.der))),
  )
}

/**
 * The issuers whose constancias were observed, as of November 2026. Others are not trusted: an administrator
 * adds what a provider publishes.
 */
export const KNOWN_CONSTANCIA_ISSUERS: readonly ConstanciaIssuer[] = [
  {
    name: 'Advantage Security',
    policies: [ID_POLICY_ADVANTAGE_SECURITY],
    certificates: [],
    environment: 'production',
  },
  {
    name: 'PSC World',
    policies: [ID_POLICY_PSC_WORLD],
    certificates: [],
    environment: 'production',
  },
  {
    name: 'Notaría 230 de la Ciudad de México',
    policies: [ID_POLICY_NOTARIA_230],
    certificates: [],
    environment: 'production',
  },
  {
    name: 'ReachCore (piloto)',
    policies: [ID_POLICY_REACHCORE_PILOT],
    certificates: [],
    environment: 'pilot',
  },
]

/** Trusted only where the demo's root is trusted: in the demo. */
export const DEMO_CONSTANCIA_ISSUER: ConstanciaIssuer = {
  name: 'Prestador de constancias de prueba',
  policies: [ID_POLICY_DEMO_CONSTANCIA],
  certificates: [],
  environment: 'pilot',
}
