import type { ByteSource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { findSignatures } from '#server/domain/verification/find-signatures.ts'
import { gatherProofs } from '#server/domain/verification/proofs.ts'

/** DER of the certificates in a file; none when it cannot be read. Nothing is judged. */
export function certificatesIn(source: ByteSource): Uint8Array[] {
  try {
    const document = readDocument(source)
    const { certificates } = gatherProofs(document, findSignatures(document).signatures)
    // Of a view the whole buffer behind it would cross to the other thread.
    return certificates.map(({ certificate }) => certificate.der.slice())
  } catch (error) {
    if (error instanceof PdfError) return []
    throw error
  }
}
