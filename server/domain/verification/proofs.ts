import { DerError } from '#server/domain/asn1/der.ts'
import type { Span } from '#server/domain/bytes.ts'
import type { SignedData } from '#server/domain/cms/signed-data.ts'
import { validationValuesOf } from '#server/domain/cms/validation-values.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { RevocationAnswer } from '#server/domain/revocation/revocation-values.ts'
import { signatureTimeStampsOf } from '#server/domain/timestamp/signature-time-stamps.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import type { FoundSignature } from './find-signatures.ts'
import { readValidationData, type StoredValue } from './validation-data.ts'

/** Everything in a file that speaks for certificates, whatever it was put there for. */
export type Proofs = {
  certificates: readonly { certificate: Certificate; place: Span }[]
  ocsp: readonly StoredValue[]
  crls: readonly StoredValue[]
}

/* A file with more is built to keep the verifier busy. */
const MOST_CERTIFICATES = 500
const MOST_ANSWERS = 500

/**
 * The certificates and the answers about revocation in the document security store, in its signatures and in
 * their timestamps; each once, at its first place.
 */
export function gatherProofs(document: PdfDocument, found: readonly FoundSignature[]): Proofs {
  const stored = readValidationData(document)
  const embedded = found.flatMap(valuesIn)
  const certificates = [
    ...embedded.flatMap(({ values, place }) =>
      values.certificates.map((certificate) => ({ certificate, place })),
    ),
    ...stored.certificates.flatMap(({ der, place }) => {
      const certificate = tryToRead(der)
      return certificate ? [{ certificate, place }] : []
    }),
  ]
  const answers = (kind: 'ocsp' | 'crls') =>
    distinct(
      [
        ...stored[kind],
        ...embedded.flatMap(({ values, place }) => values[kind].map((der) => ({ der, place }))),
      ],
      ({ der }) => der,
    ).slice(0, MOST_ANSWERS)
  return {
    certificates: distinct(certificates, ({ certificate }) => certificate.der).slice(
      0,
      MOST_CERTIFICATES,
    ),
    ocsp: answers('ocsp'),
    crls: answers('crls'),
  }
}

function valuesIn({ content, dictionary }: FoundSignature) {
  const place = dictionary.contentsSpan
  if (content.kind !== 'read' || !place) return []
  const { signedData, signer } = content.content
  const stamps = signatureTimeStampsOf(signer).flatMap((stamp) => (stamp ? [stamp.signedData] : []))
  return [signedData, ...stamps].map((one: SignedData) => ({
    values: validationValuesOf(one),
    place,
  }))
}

function tryToRead(der: Uint8Array): Certificate | undefined {
  try {
    return readCertificate(der)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

function distinct<T>(all: readonly T[], bytesOf: (one: T) => Uint8Array): T[] {
  const known = new Set<string>()
  return all.filter((one) => {
    const id = sha256(bytesOf(one))
    return !known.has(id) && known.add(id)
  })
}

/** As judges of revocation take it; `provenAt` tells from when on something at a place is proven to exist. */
export const asAnswers = (
  values: readonly StoredValue[],
  provenAt: (place: Span) => RevocationAnswer['provenAt'],
): RevocationAnswer[] =>
  values.map(({ der, place }) => {
    const time = provenAt(place)
    return { der, source: 'embedded', ...(time !== undefined && { provenAt: time }) }
  })
