import type { EfirmaProblem } from '#server/domain/efirma/diagnosis.ts'
import type {
  CertificateStanding,
  HeldCertificate,
} from '#server/domain/identity/held-certificate.ts'
import { formatDay, type Instant } from '#server/domain/time.ts'
import type { PathFailure } from '#server/domain/trust/path.ts'
import type { KeyUsage, NetscapeType } from '#server/domain/x509/extensions.ts'
import { sentenceOfEfirma } from './efirma.ts'
import { quoted } from './quoted.ts'

/* What the page of a certificate says beside its status, es-MX. */

/** Kinds in full. */
export const certificateKindsInFull: Record<HeldCertificate['kind'], string> = {
  'efirma-natural': 'e.firma de persona física',
  'efirma-legal': 'e.firma de persona moral',
  csd: 'Certificado de sello digital (CSD)',
  unknown: 'Otro: no tiene la forma de una e.firma del SAT',
}

/** How long a certificate is still valid, by calendar days of the office. @param days until its last day; negative after it */
export function sentenceOfEnd(standing: CertificateStanding, days: number): string {
  if (standing === 'not-yet-valid') return 'Todavía no empieza su vigencia.'
  if (standing === 'expired') return days === 0 ? 'Venció hoy.' : `Venció hace ${counted(-days)}.`
  if (days === 0) return 'Vence hoy.'
  return `Vence en ${counted(days)}.`
}

const counted = (days: number) => (days === 1 ? 'un día' : `${days.toLocaleString('es-MX')} días`)

export const keyUsages: Record<KeyUsage, string> = {
  digitalSignature: 'firma digital',
  nonRepudiation: 'no repudio',
  keyEncipherment: 'cifrado de claves',
  dataEncipherment: 'cifrado de datos',
  keyAgreement: 'acuerdo de claves',
  keyCertSign: 'firma de certificados',
  cRLSign: 'firma de listas de revocación',
  encipherOnly: 'solo cifrar',
  decipherOnly: 'solo descifrar',
}

/** What the extension of Netscape says a certificate is for. */
export const netscapeTypes: Record<NetscapeType, string> = {
  sslClient: 'cliente SSL',
  sslServer: 'servidor SSL',
  smime: 'S/MIME',
  objectSigning: 'firma de programas',
  sslAuthority: 'autoridad SSL',
  smimeAuthority: 'autoridad S/MIME',
  objectSigningAuthority: 'autoridad de firma de programas',
}

/** Why no chain leads to a trusted authority. @param about the certificate that the reason is about */
export const sentenceOfChain = (reason: PathFailure, about: string): string =>
  CHAIN_FAILURES[reason](quoted(about))

const CHAIN_FAILURES: Record<PathFailure, (about: string) => string> = {
  'no-issuer': (about) => `No se reconoce a la autoridad que emitió el certificado ${about}.`,
  'bad-signature': (about) =>
    `El certificado ${about} dice venir de una autoridad conocida, pero ella no lo firmó.`,
  'unsupported-algorithm': (about) =>
    `El certificado ${about} está firmado con un algoritmo que no se comprueba.`,
  'unsupported-key': (about) =>
    `El emisor del certificado ${about} tiene una clave que no se comprueba.`,
  'too-many-attempts': (about) =>
    `Hay demasiadas autoridades entre las cuales buscar al emisor del certificado ${about}.`,
  malformed: (about) => `El certificado ${about} no se puede leer completo.`,
  expired: (about) => `El certificado ${about} ya venció.`,
  'not-yet-valid': (about) => `El certificado ${about} todavía no está vigente.`,
  'issuer-is-no-authority': (about) => `El certificado ${about} no es el de una autoridad.`,
  'issuer-may-not-sign-certificates': (about) =>
    `El certificado ${about} no puede emitir otros certificados.`,
  'path-too-long': (about) =>
    `La cadena tiene más autoridades de las que admite el certificado ${about}.`,
  'unknown-critical-extension': (about) =>
    `El certificado ${about} tiene una extensión crítica que no se conoce.`,
  'name-not-allowed': (about) =>
    `Una autoridad de la cadena no puede emitir certificados con el nombre de ${about}.`,
  'no-valid-policy': (about) => `El certificado ${about} no se emitió bajo una política admitida.`,
}

/** Why a certificate was not registered. @param zone the office's time zone, for dates */
export function sentenceOfRegistration(problem: EfirmaProblem, zone: string): string {
  if (problem.code !== 'other-person') return sentenceOfEfirma(problem, zone)
  const rfc = problem.certificate?.rfc
  return `El certificado es de otra persona${rfc ? ` (RFC ${rfc})` : ''}. Cada quien registra el suyo: elija el certificado de su propia e.firma.`
}

export const revokedBeforeRegistration = (revokedAt: Instant, zone: string): string =>
  `El certificado fue revocado el ${formatDay(revokedAt, zone)}, por lo que ya no sirve para firmar. Elija el que lo reemplaza.`
