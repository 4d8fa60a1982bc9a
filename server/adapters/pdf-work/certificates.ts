import type { ByteSource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { findSignatures } from '#server/domain/verification/find-signatures.ts'
import { gatherProofs } from '#server/domain/verification/proofs.ts'
import { certificatesInConstancia } from '#server/domain/verification/time/judge-constancia.ts'

/**
 * DER of the certificates in a file, and in the constancia that was shown with it; none of what cannot be read.
 * Nothing is judged.
 */
export const certificatesIn = (
  source: ByteSource,
  constancia: Uint8Array | undefined,
): Uint8Array[] => [
  ...certificatesInDocument(source),
  ...(constancia ? certificatesInConstancia(constancia) : []),
]

function certificatesInDocument(source: ByteSource): Uint8Array[] {
  try {
    const document = readDocument(source)
    const { certificates } = gatherProofs(document, findSignatures(document).signatures)
    return certificates.map(({ certificate }) => certificate.der)
  } catch (error) {
    if (error instanceof PdfError) return []
    throw error
  }
}
