import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { acroFormOf } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isName, type PdfObject } from '#server/domain/pdf/object.ts'

/** The font that an instruction of an appearance names: its own, else that of the form. */
export function fontNamed(
  document: PdfDocument,
  resources: ReadonlyMap<string, PdfObject>,
  name: PdfObject | undefined,
): PdfObject | undefined {
  if (!isName(name)) return undefined
  const own = entriesOf(document.resolve(resources.get('Font'))).get(name.value)
  if (own !== undefined) return own
  const shared = entriesOf(document.resolve(acroFormOf(document)?.entries.get('DR')))
  return entriesOf(document.resolve(shared.get('Font'))).get(name.value)
}
