import { DerError } from '#server/domain/asn1/der.ts'
import type { ByteSource } from '#server/domain/bytes.ts'
import { readSignedData, type SignedData } from '#server/domain/cms/signed-data.ts'
import { certificatesNamedBy } from '#server/domain/cms/signer-info.ts'
import { validationValuesOf } from '#server/domain/cms/validation-values.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { incrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import {
  extendSecurityStore,
  type SignatureMaterial,
  type ValidationMaterial,
} from '#server/domain/pdf/security-store.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import { addSignatureField } from '#server/domain/pdf/signature-field.ts'
import { fillByteRange } from '#server/domain/pdf/signature-placeholder.ts'
import { Problem } from '#server/domain/problem.ts'
import { isIdOf } from '#server/domain/revocation/certificate-id.ts'
import { certificateListIn, ocspResponseIn } from '#server/domain/revocation/revocation-values.ts'
import type { Instant } from '#server/domain/time.ts'
import { signatureTimeStampsOf } from '#server/domain/timestamp/signature-time-stamps.ts'
import { isSelfSigned } from '#server/domain/trust/issued-by.ts'
import { issuerOf } from '#server/domain/trust/issuer-candidates.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { areSameName } from '#server/domain/x509/name.ts'
import { digestOfPrepared } from './digest-of-prepared.ts'
import type { PreparedIncrement } from './increment.ts'
import { mustAdmitProofs } from './may-be-signed.ts'

/**
 * A revision with the validation data of a file's signatures and timestamps: from the given material, every
 * signer's certificates up to a root, and the revocation answers about them. Does not rewrite the file's own
 * objects.
 *
 * @param at when the material was gathered
 * @returns the bytes to append
 * @throws {Problem} `damaged-pdf`, `signing-forbidden-by-document`
 * @throws {PdfError} `encrypted`, `damaged`, `too-complex`
 * @see ETSI EN 319 142-1 V1.2.1, 5.4
 */
export function addValidationData(
  source: ByteSource,
  material: ValidationMaterial,
  at: Instant,
): Uint8Array {
  const document = readDocument(source)
  mustAdmitProofs(document)
  const update = incrementalUpdate(document)
  const known = material.certificates.flatMap((der) => readable(() => readCertificate(der)))
  const signatures = signatureDictionaries(document).flatMap(({ contents }) => {
    const signedData = contents && readable(() => readSignedData(contents))[0]
    return signedData ? [materialFor(contents, signedData, known, material)] : []
  })
  extendSecurityStore(update, signatures, at)
  return update.finish().bytes
}

/**
 * Prepares a document timestamp, everything that can be done without the authority: a revision with an
 * invisible field and an empty /Contents, and its digest.
 *
 * @param contentsSize bytes reserved for the token
 * @throws {Problem} `damaged-pdf`, `signing-forbidden-by-document`
 * @throws {PdfError} `encrypted`, `damaged`, `too-complex`
 * @see ISO 32000-2:2020, 12.8.5; ETSI EN 319 142-1 V1.2.1, 5.5
 */
export function prepareDocumentStamp(source: ByteSource, contentsSize: number): PreparedIncrement {
  const document = readDocument(source)
  mustAdmitProofs(document)
  const page = pagesOf(document)[0]?.ref
  if (!page) throw new Problem('damaged-pdf', 'no page to which a field could belong')
  const update = incrementalUpdate(document)
  const { fieldName, signature } = addSignatureField(update, {
    page,
    contentsSize,
    subFilter: 'ETSI.RFC3161',
  })
  const appended = update.finish()
  const { bytes, contents, byteRange } = fillByteRange(appended, signature)
  const { digest } = digestOfPrepared(source, bytes, contents)
  const { baseLength } = appended
  return { baseLength, bytes, contents, byteRange, digest, fieldName }
}

function materialFor(
  contents: Uint8Array,
  signedData: SignedData,
  known: readonly Certificate[],
  { ocsp, crls }: ValidationMaterial,
): SignatureMaterial {
  const chains = leavesOf(signedData).map(({ leaf, brought }) =>
    chainOf(leaf, [...brought, ...known]),
  )
  const links = chains.flatMap((chain) =>
    chain.map((certificate, index) => ({ certificate, issuer: chain[index + 1] ?? certificate })),
  )
  const isAbout = (der: Uint8Array) => {
    const response = ocspResponseIn(der)
    if (response?.kind !== 'answered') return false
    return response.responses.some(({ id }) =>
      links.some(({ certificate, issuer }) => isIdOf(id, certificate, issuer)),
    )
  }
  const isListOf = (der: Uint8Array) => {
    const list = certificateListIn(der)
    return (
      list !== undefined && links.some(({ issuer }) => areSameName(issuer.subject, list.issuer))
    )
  }
  return {
    contents,
    certificates: distinct(links.map(({ certificate }) => certificate.der)),
    ocsp: ocsp.filter(isAbout),
    crls: crls.filter(isListOf),
  }
}

type Leaf = { leaf: Certificate; brought: readonly Certificate[] }

/** The certificates of the signer and of each timestamp over the signature, with those embedded beside them. */
function leavesOf(signedData: SignedData): Leaf[] {
  const { certificates: brought } = validationValuesOf(signedData)
  return signedData.signers.flatMap((signer) => [
    ...certificatesNamedBy(signer.identifier, brought).map((leaf) => ({ leaf, brought })),
    ...signatureTimeStampsOf(signer).flatMap((stamp) => (stamp ? leavesOf(stamp.signedData) : [])),
  ])
}

const LONGEST_CHAIN = 10

/** From the leaf to a root, as far as the issuers are known. */
function chainOf(leaf: Certificate, candidates: readonly Certificate[]): Certificate[] {
  const chain = [leaf]
  while (chain.length < LONGEST_CHAIN) {
    const last = chain[chain.length - 1] as Certificate
    const issuer = isSelfSigned(last) ? undefined : issuerOf(last, candidates)
    if (!issuer) break
    chain.push(issuer)
  }
  return chain
}

function distinct(all: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(all.map((der) => [sha256(der), der])).values()]
}

function readable<T>(read: () => T): T[] {
  try {
    return [read()]
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}
