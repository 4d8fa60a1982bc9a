import type { InstrumentFact } from '#server/domain/documents/instrument.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'

/** All that a sheet of evidence says of a signed document: nothing on it comes from elsewhere. */
export type EvidenceSheetFacts = {
  office: {
    /** "Notaría 12 de la Ciudad de México" */
    name: string
    /** "Coyoacán, Ciudad de México" */
    place: string
    /** Time zone in which local times are printed. */
    zone: string
  }
  isDemo: boolean
  folio: string
  /** "Copia certificada" */
  kind: string
  title: string
  verificationCode: string
  /** Address of /verify/{uuid}, also drawn as a QR code. */
  verificationUrl: string
  /** Empty for a document that belongs to no instrument of the protocol. */
  instrument: readonly InstrumentFact[]
  /** Hexadecimal. */
  originalSha256: string
  finalSha256: string
  pages: number
  /** When the final file was checked for this sheet. */
  checkedAt: Instant
  /** What our verifier says of it, es-MX. */
  verdict: string
  signatures: readonly EvidencedSignature[]
  /** Timestamps over the whole file, which keep its signatures provable. */
  documentTimestamps: readonly EvidencedTimestamp[]
  constancia: EvidencedConstancia
}

export type EvidencedSignature = {
  field: string
  name: string
  /** "Notario titular"; absent when the signature does not say. */
  character?: string
  rfc: string | null
  /** Null when the signature brings no certificate of its signer. */
  certificate: { number: string; issuer: string; notBefore: Instant; notAfter: Instant } | null
  /** "RSASSA-PKCS1-v1_5, sha256" */
  algorithm: string
  /** "B-LTA" */
  level: string
  /** "Válida", and why when it is not. */
  result: string
  /** As the signer claims. */
  claimedTime: Instant | null
  /** As a timestamp proves. */
  provenTime: Instant | null
  /** "No revocado, según …" */
  revocation: string
  timestamps: readonly EvidencedTimestamp[]
  /** Absent for a signature of another kind than CMS with signed attributes. */
  values?: SignatureValues
}

/** What was signed and the signature itself, as they stand in the file. */
export type SignatureValues = {
  /** Digest of the signed bytes of the file: the message-digest attribute, hexadecimal. */
  messageDigest: string
  /** Digest of the DER of the signed attributes, over which the signature was made; hexadecimal. */
  signedAttributesDigest: string
  /** "sha256" */
  digestAlgorithm: string
  /** The signature value, base64. */
  signature: string
}

export type EvidencedTimestamp = {
  authority: string | null
  time: Instant | null
  /** "válido", "sin confirmar", "no válido" */
  result: string
}

export type EvidencedConstancia =
  | { kind: 'issued'; authority: string | null; policy: string | null; time: Instant | null }
  | { kind: 'pending' }
  | { kind: 'failed' }
  | { kind: 'none' }

/**
 * The cadena original of a signature: one line that identifies it and that people can compare. It is not what
 * is signed: the signature covers the signed attributes, whose digest is the last part of the line.
 */
export function originalStringOf(
  { folio, originalSha256 }: Pick<EvidenceSheetFacts, 'folio' | 'originalSha256'>,
  signature: EvidencedSignature & { values: SignatureValues },
): string {
  const { field, name, rfc, certificate, claimedTime, values } = signature
  const parts = [
    '1.0',
    folio,
    originalSha256,
    field,
    name,
    rfc ?? '',
    certificate?.number ?? '',
    claimedTime === null ? '' : toTimestamp(claimedTime),
    values.messageDigest,
    values.signedAttributesDigest,
  ]
  return `||${parts.map((part) => part.replaceAll('|', ' ')).join('|')}||`
}
