import { type ByteSource, concatBytes, memorySource } from '#server/domain/bytes.ts'
import { addPage, createCanvas } from '#server/domain/pdf/canvas.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { newDocument } from '#server/domain/pdf/new-document.ts'
import type { SheetPlan } from './increment.ts'
import type { SheetFonts } from './paper.ts'
import { prepareSheet } from './prepare-sheet.ts'
import { sheetSizeFor } from './sheet-size.ts'

/**
 * The signature sheets of a document behind an empty page of their size, before the document has them: the code that appends
 * them draws them here, too.
 *
 * @returns a PDF whose second page is the first sheet
 * @throws {PdfError} `damaged`, `too-complex`, `encrypted`
 */
export function sheetAlone(source: ByteSource, plan: SheetPlan, fonts: SheetFonts): Uint8Array {
  const base = newDocument()
  const canvas = createCanvas(sheetSizeFor(readDocument(source)))
  const empty = base.finish([addPage(base, canvas, { Font: {}, XObject: {} })])
  return concatBytes(empty, prepareSheet(memorySource(empty), plan, fonts).bytes)
}
