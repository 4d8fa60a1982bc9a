import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import { nextFieldName } from '#server/domain/pdf/signature-field.ts'
import { certificationLevel, isLocked } from '#server/domain/pdf/signature-permissions.ts'
import { Problem } from '#server/domain/problem.ts'

/**
 * Whether the document's signatures allow another one: none certifies it against every change, and none locks
 * the field. A lock of all fields, or of all but a few, includes future fields.
 *
 * @param fieldName the field to sign; by default the next one that we would add
 * @throws {PdfError} `damaged`, `too-complex`, `encrypted`
 * @see ISO 32000-2:2020, 12.8.2.2 and 12.8.2.4
 */
export function mayBeSigned(
  document: PdfDocument,
  fieldName: string = nextFieldName(document),
): boolean {
  if (isFinal(document)) return false
  return signatureDictionaries(document).every(
    ({ locks }) => !locks.some((lock) => isLocked(lock, fieldName)),
  )
}

/**
 * Whether a certification forbids every later change. PDF 2.0 allows long-term proofs even then, but older
 * readers do not, so we never append to such a file.
 *
 * @see ISO 32000-2:2020, table 257 and table 236
 */
export function isFinal(document: PdfDocument): boolean {
  if (certificationLevel(document) === 1) return true
  return signatureDictionaries(document).some(
    ({ references, locks }) =>
      references.some((one) => one.method === 'DocMDP' && one.level === 1) ||
      locks.some((lock) => lock.level === 1),
  )
}

/** @throws {Problem} `signing-forbidden-by-document`, `damaged-pdf` */
export function mustAdmitProofs(document: PdfDocument): void {
  if (document.isRebuilt) throw new Problem('damaged-pdf', 'no cross-reference to append to')
  if (isFinal(document))
    throw new Problem('signing-forbidden-by-document', 'a certification forbids any change')
}

/** @throws {Problem} `signing-forbidden-by-document`, `damaged-pdf` */
export function mustBeSignable(document: PdfDocument, fieldName?: string): void {
  // A reader could not follow the broken cross-reference after our revision.
  if (document.isRebuilt) throw new Problem('damaged-pdf', 'no cross-reference to append to')
  if (!mayBeSigned(document, fieldName))
    throw new Problem('signing-forbidden-by-document', 'a certification or a lock forbids it')
}
