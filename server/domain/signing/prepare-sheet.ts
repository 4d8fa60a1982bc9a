import type { ByteSource } from '#server/domain/bytes.ts'
import { archivalNeedsOf } from '#server/domain/pdf/archival/archival-needs.ts'
import { sayColours } from '#server/domain/pdf/archival/output-intent.ts'
import { addForm, addPage } from '#server/domain/pdf/canvas.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { incrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import { addEmptySignatureField } from '#server/domain/pdf/signature-field.ts'
import { Problem } from '#server/domain/problem.ts'
import type { PreparedSheet, SheetPlan } from './increment.ts'
import { mustBeSignable } from './may-be-signed.ts'
import { cornersOf, placeResources, type SheetFonts } from './paper.ts'
import { appendSheet } from './sheet-pages.ts'
import { sheetSizeFor } from './sheet-size.ts'
import { drawSignatureSheets, sheetsFor, signatureSlots } from './signature-sheet.ts'

/**
 * Prepares one revision with the signature sheets and an empty signature field for each signer. The text shown
 * in an unsigned field belongs to the field, so signing or replacing a signer does not change the page.
 *
 * @throws {Problem} `signing-forbidden-by-document`, `damaged-pdf`; the former also for a file that carries
 *   signatures, which a new page would break
 * @throws {PdfError} `encrypted`, `damaged`, `too-complex`
 * @see ISO 32000-2:2020, 7.5.6 and 12.7.5.5
 */
export function prepareSheet(
  source: ByteSource,
  { sheet, awaited }: SheetPlan,
  fonts: SheetFonts,
): PreparedSheet {
  const document = readDocument(source)
  mustBeSignable(document)
  if (signatureDictionaries(document).length > 0)
    throw new Problem('signing-forbidden-by-document', 'a page would break its signatures')
  const update = incrementalUpdate(document)
  const size = sheetSizeFor(document)
  const slots = signatureSlots(size)
  const needs = document.once(archivalNeedsOf)
  const drawn = drawSignatureSheets(sheet, awaited, { size, fonts: { ...fonts, needs } })
  const resources = placeResources(update, drawn)
  const sheets = sheetsFor(awaited, size)
  const canvases = drawn.pack.pages
  const pages = canvases.slice(0, sheets).map((canvas) => addPage(update, canvas, resources))
  for (const page of pages) appendSheet(update, page)
  sayColours(update)
  const appearances = canvases.slice(sheets).map((canvas) => addForm(update, canvas, resources))
  const fieldNames = awaited.map(({ fieldName }, index) =>
    addEmptySignatureField(update, {
      fieldName,
      page: pages[Math.floor(index / slots.length)]!,
      visible: {
        rectangle: cornersOf(slots[index % slots.length]!),
        appearance: appearances[index]!,
      },
    }),
  )
  const { baseLength, bytes } = update.finish()
  return { baseLength, bytes, pages: sheets, fieldNames }
}
