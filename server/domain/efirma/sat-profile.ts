import {
  ID_EXTENDED_KEY_USAGE,
  ID_ORGANIZATIONAL_UNIT_NAME,
  ID_SERIAL_NUMBER,
  ID_UNIQUE_IDENTIFIER,
} from '#server/domain/asn1/object-identifiers.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { basicConstraintsOf, type Extension } from '#server/domain/x509/extensions.ts'
import { attributeOf, type Name } from '#server/domain/x509/name.ts'

/** What a certificate of the SAT is for. Only an e.firma signs documents; a CSD stamps invoices. */
type CertificateKind = 'efirma-natural' | 'efirma-legal' | 'csd' | 'unknown'

export type SatProfile = {
  /** The 20 digits that the SAT calls "número de certificado"; else the serial number in hexadecimal. */
  certificateNumber: string
  kind: CertificateKind
  /** Of the holder; null where the certificate names none. */
  rfc: string | null
  /** Of a natural person; null for a legal person and where the certificate names none. */
  curp: string | null
  /** Who acts for a legal person; null for natural persons. */
  representative: { rfc: string; curp: string | null } | null
}

const RFC = /^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{2}[0-9A]$/
const CURP = /^[A-Z]{4}\d{6}[A-Z]{6}[0-9A-Z]\d$/

/**
 * Reads the holder and the kind from where the SAT writes them: an e.firma has no organizational unit and
 * has an extended key usage, a CSD the other way round. If the two marks disagree, the SAT did not issue the
 * certificate and its kind is `unknown`, as for the authorities themselves.
 *
 * @throws {DerError} if the basic constraints are malformed
 */
export function satProfileOf(
  certificate: Pick<Certificate, 'serial' | 'subject' | 'extensions'>,
): SatProfile {
  const [rfc, representativeRfc] = halvesOf(certificate.subject, ID_UNIQUE_IDENTIFIER)
  const [curp, representativeCurp] = halvesOf(certificate.subject, ID_SERIAL_NUMBER)
  const holder = matching(RFC, rfc)
  const actsFor = matching(RFC, representativeRfc)
  return {
    certificateNumber: certificateNumberOf(certificate.serial),
    kind: kindOf(certificate, holder, actsFor !== null),
    rfc: holder,
    curp: matching(CURP, curp),
    representative: actsFor ? { rfc: actsFor, curp: matching(CURP, representativeCurp) } : null,
  }
}

function kindOf(
  { subject, extensions }: { subject: Name; extensions: readonly Extension[] },
  rfc: string | null,
  hasRepresentative: boolean,
): CertificateKind {
  const hasUnit = attributeOf(subject, ID_ORGANIZATIONAL_UNIT_NAME) !== undefined
  const hasPurposes = extensions.some(({ oid }) => oid === ID_EXTENDED_KEY_USAGE)
  // Both kinds say that they are no authority; the oldest roots say nothing.
  if (basicConstraintsOf({ extensions })?.isAuthority !== false) return 'unknown'
  if (rfc === null || hasUnit === hasPurposes) return 'unknown'
  if (hasUnit) return 'csd'
  if (hasRepresentative) return 'efirma-legal'
  return rfc.length === 13 ? 'efirma-natural' : 'unknown'
}

/** The SAT writes 20 ASCII digits where X.509 has a number. */
function certificateNumberOf(serial: string): string {
  const isText = /^(?:3\d){20}$/.test(serial)
  return isText ? serial.replace(/3(\d)/g, '$1') : serial
}

/**
 * `EKU9003173C9 / VADA800927DJ3`: the holder, then who acts for it. Of several values each reader would choose its
 * own; the SAT writes one.
 */
function halvesOf({ attributes }: Name, oid: string): [string, string] {
  const [only, ...others] = attributes.filter((attribute) => attribute.oid === oid)
  const [holder = '', actor = '', ...more] = (only?.value ?? '').split('/')
  return others.length + more.length > 0 ? ['', ''] : [holder.trim(), actor.trim()]
}

const matching = (pattern: RegExp, text: string) => (pattern.test(text) ? text : null)
