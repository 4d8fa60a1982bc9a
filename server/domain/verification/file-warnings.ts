import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { endOfText } from '#server/domain/pdf/header.ts'
import { trueUnlessReadable } from './true-unless-readable.ts'

/** What makes it unclear which document a reader shows; any of it takes the verdict back. */
export function ambiguitiesOf(
  document: PdfDocument,
  { isHidden, isAmbiguous }: { isHidden: boolean; isAmbiguous: boolean },
): string[] {
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
  if (!document.isRebuilt && (isAmbiguous || trueUnlessReadable(() => document.isAmbiguous)))
    ambiguities.push(
      'Una parte del documento está escrita de dos maneras: dos programas podrían ver dos documentos.',
    )
  if (!document.isRebuilt && isTrailed(document))
    ambiguities.push('Después del final del documento hay datos que no pertenecen a él.')
  return ambiguities
}

/** Something other than line ends and padding stands behind the end of the last revision. */
export function isTrailed({ source, bytes, revisions }: PdfDocument): boolean {
  const end = revisions.at(-1)?.end ?? source.length
  return end < source.length && endOfText(bytes) > end
}

/** What is odd about the file, es-MX, and harmless. */
export function warningsOf(document: PdfDocument): string[] {
  const warnings: string[] = []
  if (document.base > 0) warnings.push('Delante del documento hay datos que no pertenecen a él.')
  if (document.isRepaired && !document.isRebuilt)
    warnings.push('Algunas referencias del archivo son inexactas y se corrigieron al leerlo.')
  if (document.isEncrypted) warnings.push('El PDF está cifrado.')
  return warnings
}
