import { dayOf, daysBetween } from '#server/domain/day.ts'
import { formatDay, formatInstant, type Instant } from '#server/domain/time.ts'
import type { CertificateFacts, Stated } from '#server/domain/trust/certificate-facts.ts'
import type { CertificateDetail } from '#server/features/certificates/read-certificate.ts'
import {
  certificateKindsInFull,
  keyUsages,
  netscapeTypes,
  sentenceOfChain,
  sentenceOfEnd,
} from '#server/words/certificate-details.ts'
import {
  algorithmName,
  attributeName,
  curveName,
  extensionName,
  policyName,
  purposeName,
} from './object-names.ts'

export type CertificateView = ReturnType<typeof certificateView>

/** A certificate in es-MX, in the office's time zone. */
export function certificateView(detail: CertificateDetail, now: Instant) {
  const { certificate, standing, owner, holder, facts, timeZone: zone } = detail
  const { id, name, number, sha256, notBefore, notAfter } = certificate
  const left = daysBetween(dayOf(now, zone), dayOf(notAfter, zone))
  return {
    ...{ id, name, number, sha256, standing, owner },
    isTest: certificate.provenance === 'demo',
    kind: certificateKindsInFull[certificate.kind],
    end: standing === 'revoked' ? null : sentenceOfEnd(standing, left),
    from: formatInstant(notBefore, zone),
    until: formatInstant(notAfter, zone),
    firstSeen: formatInstant(certificate.firstSeenAt, zone),
    revocation: revocationOf(detail, zone),
    isReserved: holder === null,
    holder: holder && { rfc: holder.rfc, curp: holder.curp, ...representativeOf(facts) },
    subject: facts.subject.map(partView),
    issuer: facts.issuer.map(partView),
    chain: chainView(facts, zone),
    technical: technicalFacts(facts),
    extensions: facts.extensions.map(({ oid, isCritical }) => ({
      ...{ oid, isCritical },
      name: extensionName(oid),
    })),
    fingerprints: { sha1: facts.sha1, serial: facts.serial },
  }
}

/** A name may hold several values of one attribute: `place` tells them apart. */
const partView = ({ oid, value }: CertificateFacts['subject'][number], place: number) => ({
  ...{ place, value },
  name: attributeName(oid),
})

function representativeOf({ representative }: CertificateFacts) {
  return {
    representative:
      representative && [representative.rfc, representative.curp].filter(Boolean).join(' · '),
  }
}

function revocationOf({ standing, answeredAt }: CertificateDetail, zone: string): string {
  const when = answeredAt === null ? '' : `; última respuesta: ${formatInstant(answeredAt, zone)}`
  if (standing === 'revoked') return `Su emisor lo revocó${when}`
  if (answeredAt === null) return 'No se guarda ninguna respuesta de su emisor'
  return `Su emisor no lo ha revocado${when}`
}

function chainView({ chain }: CertificateFacts, zone: string) {
  if (chain.kind === 'none')
    return { fault: sentenceOfChain(chain.reason, chain.about), label: null, authorities: [] }
  return {
    fault: null,
    label: chain.label,
    authorities: chain.authorities.map(({ sha256, name, notBefore, notAfter }) => ({
      ...{ sha256, name },
      validity: `Del ${formatDay(notBefore, zone)} al ${formatDay(notAfter, zone)}`,
    })),
  }
}

/** Facts that are absent from the certificate are null. */
function technicalFacts(facts: CertificateFacts) {
  return {
    version: facts.version,
    key: keyText(facts.key),
    signature: algorithmName(facts.signatureAlgorithm),
    usage: listOf(facts.keyUsage, (usage) => keyUsages[usage]),
    netscape: listOf(facts.netscapeTypes, (type) => netscapeTypes[type]),
    purposes: listOf(facts.purposes, purposeName),
    authority: facts.isAuthority ? 'Puede emitir certificados' : 'No puede emitir certificados',
    policies: listOf(facts.policies, policyName),
    identifier:
      facts.subjectKeyIdentifier === 'unreadable' ? UNREADABLE : facts.subjectKeyIdentifier,
    ocsp: facts.ocsp.length > 0 ? facts.ocsp : null,
    lists: facts.lists.length > 0 ? facts.lists : null,
  }
}

const UNREADABLE = 'No se puede leer'

function listOf<T>(values: Stated<readonly T[]>, nameOf: (value: T) => string): string | null {
  if (values === undefined) return null
  return values === 'unreadable' ? UNREADABLE : values.map(nameOf).join(', ')
}

function keyText({ kind, bits, exponent, curve }: CertificateFacts['key']): string {
  if (bits !== undefined) {
    const name = kind === 'rsa-pss' ? 'RSA-PSS' : 'RSA'
    return `${name} de ${bits} bits${exponent ? `, exponente ${exponent}` : ''}`
  }
  return curve ? `Curva elíptica ${curveName(curve)}` : KEYS[kind]
}

const KEYS: Record<CertificateFacts['key']['kind'], string> = {
  rsa: 'RSA',
  'rsa-pss': 'RSA-PSS',
  ec: 'Curva elíptica',
  ed25519: 'Ed25519',
  ed448: 'Ed448',
  dsa: 'DSA',
  unknown: 'De un tipo que no se conoce',
}
