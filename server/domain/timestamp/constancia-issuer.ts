import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

/**
 * Who gives constancias of conservation (NOM-151-SCFI-2016), and under which policy: the authorities have no
 * certificates for timestamping, so that nothing else tells a constancia from any other signature. Plain data.
 */
export type ConstanciaIssuer = {
  /** For people. */
  name: string
  /** Dotted decimals; each provider and each service has its own. */
  policies: readonly string[]
  /** SHA-256 of the DER of its certificates; none: whichever the pinned root itself issued. */
  certificates: readonly string[]
  environment: 'production' | 'pilot'
}

/**
 * The issuer that works under `policy` with this certificate; undefined when no known one does.
 *
 * @param certificate of the key that signed
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
 * The issuers whose constancias were seen, as of November 2026. What is not in this list is not believed:
 * an administrator adds to it what a provider publishes.
 */
export const KNOWN_CONSTANCIA_ISSUERS: readonly ConstanciaIssuer[] = [
  {
    name: 'Advantage Security',
    policies: ['2.16.484.101.10.316.2.1.1.2.1'],
    certificates: [],
    environment: 'production',
  },
  {
    name: 'PSC World',
    policies: ['2.16.484.101.10.316.100.2.1.2.1.1'],
    certificates: [],
    environment: 'production',
  },
  {
    name: 'Notaría 230 de la Ciudad de México',
    policies: ['2.16.484.101.10.316.100.8.1.3.1.3'],
    certificates: [],
    environment: 'production',
  },
  {
    name: 'ReachCore (piloto)',
    policies: ['1.16.484.101.10.316.1.2'],
    certificates: [],
    environment: 'pilot',
  },
]

/** Assigned to no provider: an unused number under the arc of the Secretaría de Economía. */
export const DEMO_CONSTANCIA_POLICY = '2.16.484.101.10.316.999.1.1'

/** Counts where the root of the demo counts: in the demo. */
export const DEMO_CONSTANCIA_ISSUER: ConstanciaIssuer = {
  name: 'Prestador de constancias de prueba',
  policies: [DEMO_CONSTANCIA_POLICY],
  certificates: [],
  environment: 'pilot',
}
