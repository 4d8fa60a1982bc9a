import { certificatesNamedBy, type SignerInfo } from '#server/domain/cms/signer-info.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { signatureTimeStampsOf, tokensIn } from '#server/domain/timestamp/signature-time-stamps.ts'
import type { ByteRange } from '#server/domain/verification/digests.ts'
import { type FoundSignature, findSignatures } from '#server/domain/verification/find-signatures.ts'
import { gatherProofs } from '#server/domain/verification/proofs.ts'

/** The parts of one signature, so that other programs can check it. Plain data. */
export type SignatureMaterial = {
  field: string
  kind: 'signature' | 'document-timestamp'
  byteRange: ByteRange
  /** CMS, DER, without the zeros that fill /Contents. */
  cms: Uint8Array
  /** The octets that timestamps over the signature cover. */
  signatureValue: Uint8Array
  /** DER of the certificate that it names; null when the file does not have it. */
  signer: Uint8Array | null
  /** Tokens over `signatureValue`. */
  timestamps: Uint8Array[]
}

export type FileMaterial = {
  /** In the order of the report; null for one that other programs cannot check in the same way. */
  signatures: (SignatureMaterial | null)[]
  /** DER, all that the file holds. */
  certificates: Uint8Array[]
  /** OCSPResponse elements. */
  ocsp: Uint8Array[]
  /** Lists of revoked certificates. */
  crls: Uint8Array[]
}

const DETACHED: readonly string[] = ['ETSI.CAdES.detached', 'adbe.pkcs7.detached', 'ETSI.RFC3161']

/** What can be taken out of a signed file as files of their own. Nothing is judged. @throws {PdfError} */
export function materialIn(document: PdfDocument): FileMaterial {
  const { signatures } = findSignatures(document)
  const { certificates, ocsp, crls } = gatherProofs(document, signatures)
  return {
    signatures: signatures.map(materialOf),
    certificates: certificates.map(({ certificate }) => certificate.der.slice()),
    ocsp: ocsp.map(({ der }) => der.slice()),
    crls: crls.map(({ der }) => der.slice()),
  }
}

function materialOf(found: FoundSignature): SignatureMaterial | null {
  const { dictionary, coverage, content } = found
  const { byteRange } = coverage
  const { subFilter, contents } = dictionary
  if (content.kind !== 'read' || coverage.coverage === 'UNCLEAR' || !byteRange || !contents)
    return null
  if (!DETACHED.includes(subFilter)) return null
  const { signedData, signer } = content.content
  const [named] = certificatesNamedBy(signer.identifier, signedData.certificates)
  return {
    field: dictionary.fieldNames[0] ?? '',
    kind: subFilter === 'ETSI.RFC3161' ? 'document-timestamp' : 'signature',
    byteRange,
    cms: contents.slice(0, signedData.length),
    signatureValue: signer.signature.slice(),
    signer: named?.der.slice() ?? null,
    timestamps: readableTokens(signer),
  }
}

function readableTokens(signer: SignerInfo): Uint8Array[] {
  const tokens = tokensIn(signer.unsignedAttributes)
  const read = signatureTimeStampsOf(signer)
  return tokens.filter((_, place) => read[place] !== undefined).map((token) => token.slice())
}
