import { beforeAll, expect, test } from 'vitest'
import { loadSheetFonts } from '#server/adapters/sheet-fonts.ts'
import { memorySource } from '#server/domain/bytes.ts'
import { addPage, createCanvas, drawText } from '#server/domain/pdf/canvas.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { embedFont, isEmbedded } from '#server/domain/pdf/embedded-font.ts'
import { newDocument } from '#server/domain/pdf/new-document.ts'
import type { PdfObject, PdfRef } from '#server/domain/pdf/object.ts'
import type { NewStream } from '#server/domain/pdf/serialize.ts'
import { judge } from '#tests/support/judges.ts'
import { onDisk, qpdf } from './variants.ts'

const { regular } = loadSheetFonts()
const TEXT = 'ÁÉÍÓÚÜÑáéíóúüñ¿?¡!«»“”–—…ºª°·€№ŁłŠšŐő'

/** A file with the text in the font, some object of which is another one. */
function fileWith(
  change: (value: PdfObject | NewStream) => PdfObject | NewStream = (same) => same,
) {
  const store = newDocument()
  const changing = {
    ...store,
    set: (ref: PdfRef, value: PdfObject | NewStream) => store.set(ref, change(value)),
  }
  const font = embedFont(changing, regular.whole())
  const page = createCanvas({ width: 600, height: 100 })
  drawText(page, TEXT, { x: 10, y: 10 }, { font: regular, size: 12, color: [0, 0, 0] })
  const resources = { Font: { [regular.name]: font }, XObject: {} }
  return { font, file: store.finish([addPage(store, page, resources)]) }
}

const isFound = ({ file, font }: ReturnType<typeof fileWith>) =>
  isEmbedded(readDocument(memorySource(file)), font, regular.whole())

let path = ''
beforeAll(() => {
  path = onDisk(fileWith().file)
})

test('every sign that the font has is read back, also rare letters', () => {
  expect(judge('pdftotext')('-raw', path, '-').output.trim()).toBe(TEXT)
  expect(qpdf('--check', path)).toMatchObject({ status: 0, errors: '' })
})

test('the font is found in a file that has it', () => {
  expect(isFound(fileWith())).toBe(true)
})

test.each<[string, (stream: NewStream) => NewStream]>([
  ['outlines', (stream) => ({ ...stream, data: stream.data.with(100, stream.data[100]! ^ 1) })],
  ['a length', (stream) => ({ ...stream, data: stream.data.slice(0, -1) })],
])('a font of its name with other %s is not taken for it', (_, change) => {
  const isStream = (value: PdfObject | NewStream): value is NewStream =>
    typeof value === 'object' && value?.kind === 'new-stream'
  expect(isFound(fileWith((value) => (isStream(value) ? change(value) : value)))).toBe(false)
})

test('embedded font: only a font is accepted', () => {
  const { file, font } = fileWith(() => null)
  expect(isFound({ file, font })).toBe(false)
})
