import type { PdfDocument } from '../pdf/document.ts'
import { signatureDictionaries } from '../pdf/signature-dictionaries.ts'
import { nextFieldName } from '../pdf/signature-field.ts'
import { certificationLevel, isLocked } from '../pdf/signature-permissions.ts'
import { Problem } from '../problem.ts'

/**
 * Whether the signatures of the document let another one come: none certifies it against any change, and
 * none locks the field. A lock of all fields, or of all but a few, also means those that are still to come.
 *
 * @param fieldName that will be signed; by default the next one that we would add
 * @throws {PdfError} `damaged`, `too-complex`, `encrypted`
 * @see ISO 32000-2:2020, 12.8.2.2 and 12.8.2.4
 */
export function mayBeSigned(
  document: PdfDocument,
  fieldName: string = nextFieldName(document),
): boolean {
  if (certificationLevel(document) === 1) return false
  return signatureDictionaries(document).every(({ references, locks }) => {
    const certifies = references.some((one) => one.method === 'DocMDP' && one.level === 1)
    return !certifies && !locks.some((lock) => lock.level === 1 || isLocked(lock, fieldName))
  })
}

/** @throws {Problem} `signing-forbidden-by-document`, `damaged-pdf` */
export function mustBeSignable(document: PdfDocument, fieldName?: string): void {
  // Its cross-reference is of no use to whoever reads what we would append to it.
  if (document.isRebuilt) throw new Problem('damaged-pdf', 'no cross-reference to append to')
  if (!mayBeSigned(document, fieldName))
    throw new Problem('signing-forbidden-by-document', 'a certification or a lock forbids it')
}
