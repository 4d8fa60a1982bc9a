import { PdfError } from '#server/domain/pdf/error.ts'

/** The answer, or true where the file cannot be read far enough to give one. */
export function trueUnlessReadable(ask: () => boolean): boolean {
  try {
    return ask()
  } catch (error) {
    if (error instanceof PdfError) return true
    throw error
  }
}
