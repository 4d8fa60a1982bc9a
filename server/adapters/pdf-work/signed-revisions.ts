import type { ByteSource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { findSignatures } from '#server/domain/verification/find-signatures.ts'

/**
 * Where the revision ends that each signature covers, in the order of the report; null for a signature that
 * covers no whole one.
 *
 * @throws {PdfError}
 */
export function signedRevisionsIn(source: ByteSource): (number | null)[] {
  return findSignatures(readDocument(source)).signatures.map(
    ({ coverage: { coverage, byteRange } }) => {
      const isWhole = coverage === 'ENTIRE_FILE' || coverage === 'ENTIRE_REVISION'
      return isWhole && byteRange ? byteRange[2] + byteRange[3] : null
    },
  )
}
