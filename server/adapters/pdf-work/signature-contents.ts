import { octetsOf } from '#server/domain/asn1/der-values.ts'
import { ID_MESSAGE_DIGEST } from '#server/domain/asn1/object-identifiers.ts'
import type { ByteSource } from '#server/domain/bytes.ts'
import { toHex } from '#server/domain/bytes.ts'
import { singleValue } from '#server/domain/cms/attributes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import type { SignatureValues } from '#server/domain/signing/evidence-sheet-facts.ts'
import { sheetSizeFor } from '#server/domain/signing/sheet-size.ts'
import { digestNameOf, startDigest } from '#server/domain/trust/digest-algorithm.ts'
import { type FoundSignature, findSignatures } from '#server/domain/verification/find-signatures.ts'
import type { SignedContents } from '#server/ports/pdf-work.ts'

/**
 * What each signature of a file says and is, in the order of the report, and the size of its sheets. Nothing is
 * judged.
 *
 * @throws {PdfError}
 */
export function signatureContentsIn(source: ByteSource): SignedContents {
  const document = readDocument(source)
  const signatures = findSignatures(document).signatures.map((signature) => {
    const { reason } = signature.dictionary
    const values = valuesOf(signature)
    return { ...(reason !== undefined && { reason }), ...(values && { values }) }
  })
  return { signatures, sheetSize: sheetSizeFor(document) }
}

/** Undefined for a signature that is no CMS, or that is over the content itself. */
function valuesOf({ content }: FoundSignature): SignatureValues | undefined {
  if (content.kind !== 'read') return undefined
  const { signedAttributes, digestAlgorithm, signature } = content.content.signer
  const digest = digestNameOf(digestAlgorithm.oid)
  const messageDigest =
    signedAttributes && singleValue(signedAttributes.attributes, ID_MESSAGE_DIGEST)
  if (!digest || !messageDigest || typeof messageDigest === 'string') return undefined
  return {
    messageDigest: toHex(octetsOf(messageDigest)),
    signedAttributesDigest: startDigest(digest).update(signedAttributes.setBytes).digest('hex'),
    digestAlgorithm: digest,
    signature: Buffer.from(signature).toString('base64'),
  }
}
