import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import type { PdfStream } from '#server/domain/pdf/object.ts'

const MOST_BYTES = 1 << 27

/** The data of a picture, a table or a profile; undefined where it is broken or too long. */
export function decodedOf(document: PdfDocument, image: PdfStream): Uint8Array | undefined {
  try {
    return document.decoded(image, MOST_BYTES)
  } catch (error) {
    if (error instanceof PdfError) return undefined
    throw error
  }
}
