import { type ByteSource, memorySource } from '../bytes.ts'
import { readDocument } from '../pdf/document.ts'
import { pageImporter } from '../pdf/import-page.ts'
import { incrementalUpdate } from '../pdf/incremental-update.ts'
import { signatureDictionaries } from '../pdf/signature-dictionaries.ts'
import { addEmptySignatureField } from '../pdf/signature-field.ts'
import { Problem } from '../problem.ts'
import { mustBeSignable } from './may-be-signed.ts'
import { cornersOf, type SheetFonts } from './paper.ts'
import type { PreparedSheet, SheetPlan } from './prepare.ts'
import { appendSheet } from './sheet-pages.ts'
import { renderSignatureSheets, SIGNATURE_SLOTS } from './signature-sheet.ts'

/**
 * One revision with the signature sheet, on as many pages as the signers need, and an empty signature field
 * for each of them. What a field shows while it waits belongs to the field: to sign it, or to sign it as
 * somebody else than was awaited, changes nothing of the page.
 *
 * @throws {Problem} `signing-forbidden-by-document`, `damaged-pdf`; the former also for a file that carries
 *   signatures, which a new page would break
 * @throws {PdfError} `encrypted`, `damaged`, `too-complex`
 * @see ISO 32000-2:2020, 7.5.6 and 12.7.5.5
 */
export async function prepareSheet(
  source: ByteSource,
  { sheet, awaited }: SheetPlan,
  fonts: SheetFonts,
): Promise<PreparedSheet> {
  const document = readDocument(source)
  mustBeSignable(document)
  if (signatureDictionaries(document).length > 0)
    throw new Problem('signing-forbidden-by-document', 'a page would break its signatures')
  const update = incrementalUpdate(document)
  const { bytes: drawn, sheets } = await renderSignatureSheets(sheet, awaited, fonts)
  const importer = pageImporter(update, readDocument(memorySource(drawn)))
  const pages = Array.from({ length: sheets }, (_, index) => appendSheet(update, importer, index))
  const fieldNames = awaited.map(({ fieldName }, index) =>
    addEmptySignatureField(update, {
      fieldName,
      page: pages[Math.floor(index / SIGNATURE_SLOTS.length)]!,
      visible: {
        rectangle: cornersOf(SIGNATURE_SLOTS[index % SIGNATURE_SLOTS.length]!),
        appearance: importer.formXObject(sheets + index),
      },
    }),
  )
  const { baseLength, bytes } = update.finish()
  return { baseLength, bytes, pages: sheets, fieldNames }
}
