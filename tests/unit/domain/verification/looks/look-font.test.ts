import { expect, test, vi } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, name } from '#server/domain/pdf/object.ts'
import { lookFonts } from '#server/domain/verification/looks/look-font.ts'
import { fontWith } from '#tests/support/pdf/giant-font.ts'
import {
  type Bodies,
  bodiesWithPages,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'

const { program } = fontWith('—', 2000)
const FILE = streamBody(program, `/Length1 ${program.length}`)
const [FIRST, RESOURCES] = [1000, 20]

/** Fonts of a form, each with a descriptor of its own, and how their font files are written. */
function formWith(fonts: number, files: Bodies, fileOf: (font: number) => number) {
  const numbers = Array.from({ length: fonts }, (_, at) => FIRST + at)
  const list = numbers.map((number) => `/F${number} ${number} 0 R`).join('')
  const bodies: Bodies = {
    ...bodiesWithPages(1),
    [RESOURCES]: `<</Font<<${list}>>>>`,
    ...files,
    ...Object.fromEntries(
      numbers.map((number) => [
        number,
        `<</Subtype/TrueType/Encoding/WinAnsiEncoding/FontDescriptor<</FontFile2 ${fileOf(number - FIRST)} 0 R>>>>`,
      ]),
    ),
  }
  const document = readDocument(memorySource(pdfWithTable(bodies)))
  const resources = entriesOf(document.object(RESOURCES)?.value)
  const fontNamed = lookFonts(document)
  return { document, read: numbers.map((one) => fontNamed(resources, name(`F${one}`))!) }
}

test('fonts of looks: a font file is measured once, however many fonts name it', () => {
  const aliases = Array.from({ length: 30 }, (_, at) => 31 + at)
  const files = { 30: FILE, ...Object.fromEntries(aliases.map((alias) => [alias, '30 0 R'])) }
  const { document, read } = formWith(900, files, (font) => 30 + (font % 31))
  const known = read[0]!.bounds()
  expect(known).toMatchObject({ bottom: 0 })
  const spend = vi.spyOn(document.meter, 'spend')
  for (const font of read.slice(1)) expect(font.bounds()).toBe(known)
  // Only the references are read.
  const spent = spend.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0)
  expect(spent).toBeLessThan(program.length / 4)
})

test('fonts of looks: each font file has bounds of its own', () => {
  const giant = fontWith('—', 16).program
  const files = { 30: FILE, 31: streamBody(giant, `/Length1 ${giant.length}`), 32: streamBody('x') }
  const { read } = formWith(3, files, (font) => 30 + font)
  const [usual, large, broken] = read.map((font) => font.bounds())
  expect(usual!.right).toBeLessThan(2)
  expect(large!.right).toBeGreaterThan(40)
  expect(broken).toBeUndefined()
})
