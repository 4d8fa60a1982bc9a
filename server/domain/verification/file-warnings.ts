import type { ByteSource } from '#server/domain/bytes.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { trueUnlessReadable } from './true-unless-readable.ts'

/** What makes it unclear which document a reader shows; any of it takes the verdict back. */
export function ambiguitiesOf(document: PdfDocument, isHidden: boolean): string[] {
  const ambiguities: string[] = []
  if (isHidden)
    ambiguities.push(
      document.isLocked
        ? 'El PDF está cifrado: las firmas que pueda tener no se pueden leer.'
        : 'Una parte del archivo no se puede leer: podría contener firmas.',
    )
  if (document.isRebuilt)
    ambiguities.push(
      'La tabla de referencias está dañada: dos programas podrían ver dos documentos.',
    )
  if (!document.isRebuilt && trueUnlessReadable(() => document.isAmbiguous))
    ambiguities.push(
      'Una parte del documento está escrita de dos maneras: dos programas podrían ver dos documentos.',
    )
  if (!document.isRebuilt && isTrailed(document))
    ambiguities.push('Después del final del documento hay datos que no pertenecen a él.')
  return ambiguities
}

/** Something other than line ends and padding stands behind the end of the last revision. */
export function isTrailed({ source, revisions }: PdfDocument): boolean {
  const end = revisions.at(-1)?.end ?? source.length
  return end < source.length && !isBlank(source, end)
}

/** How many bytes behind the end are looked at: line ends and padding are harmless. */
const TRAILING_LIMIT = 64 * 1024

function isBlank(source: ByteSource, start: number): boolean {
  if (source.length - start > TRAILING_LIMIT) return false
  return source.read(start, source.length).every((byte) => BLANKS.has(byte))
}

const BLANKS = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20])

/** What is odd about the file, es-MX, and harmless. */
export function warningsOf(document: PdfDocument): string[] {
  const warnings: string[] = []
  if (document.base > 0) warnings.push('Delante del documento hay datos que no pertenecen a él.')
  if (document.isRepaired && !document.isRebuilt)
    warnings.push('Algunas referencias del archivo son inexactas y se corrigieron al leerlo.')
  if (document.isEncrypted) warnings.push('El PDF está cifrado.')
  return warnings
}
