import type { InstrumentFact } from '#server/domain/documents/instrument.ts'
import type { PublicAddress } from '#server/domain/documents/public-address.ts'
import type { SigningCharacter } from '#server/domain/identity/signing-character.ts'
import type { PageSize } from '#server/domain/pdf/page-size.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'

/** All facts on an evidence sheet. */
export type EvidenceSheetFacts = {
  /** Of the paper: that of the document. */
  sheetSize: PageSize
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
  /** Null if the public must not find the document. */
  publicAddress: PublicAddress | null
  /** Empty if the document belongs to no instrument of the protocol. */
  instrument: readonly InstrumentFact[]
  /** Hexadecimal. */
  originalSha256: string
  finalSha256: string
  pages: number
  /** When the final file was checked for this sheet. */
  checkedAt: Instant
  /** The verdict of our verifier, es-MX. */
  verdict: string
  /** What signers stated about the file as it arrived, before they signed it; empty if nothing had to be stated. */
  acknowledgements: readonly EvidencedAcknowledgement[]
  signatures: readonly EvidencedSignature[]
  /** Timestamps over the whole file, which keep its signatures provable. */
  documentTimestamps: readonly EvidencedTimestamp[]
  constancia: EvidencedConstancia
}

export type EvidencedSignature = {
  field: string
  name: string
  /** es-MX: the name of a confirmed signer, or that no authority confirms it. */
  title: string
  /** Quoted: the name in a certificate that no anchor confirms; null for a confirmed one. */
  claimedName: string | null
  /** As what the signer signed here; absent for a signature made elsewhere. */
  character?: SigningCharacter
  /** Quoted: what a signature made elsewhere gives as its reason; we do not know whether it is true. */
  declaredReason?: string
  rfc: string | null
  /** Null if the signature contains no certificate of its signer. */
  certificate: { number: string; issuer: string; notBefore: Instant; notAfter: Instant } | null
  /** "RSASSA-PKCS1-v1_5, sha256" */
  algorithm: string
  /** "PAdES B-LTA, campo “Firma1”" */
  format: string
  /** "Válida", or why it is not. */
  result: string
  /** The time that the signer claims. */
  claimedTime: Instant | null
  /** The time that a timestamp proves. */
  provenTime: Instant | null
  /** "No revocado, según …" */
  revocation: string
  timestamps: readonly EvidencedTimestamp[]
  /** Absent unless the signature is CMS with signed attributes. */
  values?: SignatureValues
}

/** The signed values and the signature in the file. */
export type SignatureValues = {
  /** Digest of the signed bytes of the file: the message-digest attribute, hexadecimal. */
  messageDigest: string
  /** Digest of the signed attributes (DER), which the signature covers; hexadecimal. */
  signedAttributesDigest: string
  /** "sha256" */
  digestAlgorithm: string
  /** The signature value, base64. */
  signature: string
}

export type EvidencedAcknowledgement = {
  /** Of the signer, as the office knows it. */
  name: string
  at: Instant
  /** es-MX: the statements, and what was shown. */
  text: string
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
 * The cadena original of a signature: one line that identifies it, for people to compare. It is not the signed
 * data: the signature covers the signed attributes, whose digest ends the line.
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
