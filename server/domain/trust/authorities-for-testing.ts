import { ID_ORGANIZATION_NAME } from '#server/domain/asn1/object-identifiers.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

/** The organization that every demonstration authority names in its subject, and by which it is recognized. */
export const DEMONSTRATION_ORGANIZATION = 'Rúbrica, sólo para demostración'

/**
 * Whether certificates of this authority are for testing, under any kind of trust: the demonstration authority
 * and the SAT's authorities for testing.
 */
export function isAuthorityForTesting({ subject, der }: Certificate): boolean {
  const isDemonstration = subject.attributes.some(
    ({ oid, value }) => oid === ID_ORGANIZATION_NAME && value === DEMONSTRATION_ORGANIZATION,
  )
  return isDemonstration || SAT_AUTHORITIES_FOR_TESTING.has(sha256(der))
}

/** SHA-256 of their DER: their names alone do not tell all of them from those in production. */
const SAT_AUTHORITIES_FOR_TESTING: ReadonlySet<string> = new Set([
  // ARC beta
  '3193f52df055e4cf0cbc192b14e75673c45e589707a181c2a666c099358d3e41',
  // ARC, root of A.C. 2 de pruebas
  'd50c91d1f13315bf6a06d4463b2d245ea0e536ce7d1cc487fe6a84a2ff5e1dd6',
  // Agencia Certficadora Raiz Beta ANG
  '1ab38194818b59ed7f279e4ed42c7eb61f07d595dcc48dbb2110738824269b88',
  // A.C. 2 de pruebas(4096)
  'd70774c3b201cfd638a2f898b72f7749b712cd7355c510db1c8703326adddd9b',
  // AC UAT of 2018
  'b089d761a431504f450839d71283c5b2862f551d8fed7cabf2adbaa24fea2adb',
  // AC UAT of 2022
  'ff9c220344614c06fa483b846d7959f9ba0806dfa85610f4ace3b2df8aefacf9',
])
