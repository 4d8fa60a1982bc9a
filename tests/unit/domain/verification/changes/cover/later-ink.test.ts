import { expect, test, vi } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { compareDocuments } from '#server/domain/verification/changes/comparison.ts'
import { coveringLooks } from '#server/domain/verification/changes/cover/covering-ink.ts'
import { laterInk } from '#server/domain/verification/changes/cover/later-ink.ts'
import {
  appendTable,
  bodiesWithPages,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'

const PLAIN = bodiesWithPages(1)
const read = (file: Uint8Array) => readDocument(memorySource(file))

/** Later looks, each a line in one of these places; what is drawn with the first, and what finding it costs. */
function drawnWith(...places: readonly string[]) {
  const numbers = places.map((_, at) => 100 + at)
  const list = numbers.map((number) => `${number} 0 R`).join(' ')
  const before = pdfWithTable(PLAIN)
  const after = appendTable(before, {
    10: PLAIN[10]!.replace('/Contents', `/Annots[${list}]/Contents`),
    50: streamBody('0 G 1 w 0 1 m 9 1 l S', '/Subtype/Form/BBox[0 0 9 9]'),
    ...Object.fromEntries(
      numbers.map((number, at) => [
        number,
        `<</Subtype/Stamp/Rect[${places[at]}]/AP<</N 50 0 R>>>>`,
      ]),
    ),
  })
  const comparison = compareDocuments(read(before), read(after))
  const [page] = pagesOf(comparison.before)
  const look = comparison.after.once(coveringLooks)(100)!
  const spend = vi.spyOn(comparison, 'spend')
  const lines = laterInk(comparison)(page!, look).darkest().length
  return { lines, spent: spend.mock.calls[0]![0] }
}

test.each([
  ['alone', ['10 10 90 90'], 1],
  ['with one in the same place', ['10 10 90 90', '20 20 80 80'], 2],
  ['with one across the border of a square', ['10 10 90 90', '80 80 190 190'], 2],
  ['with one beside it', ['10 10 90 90', '150 10 190 90'], 1],
  ['with one in the same rows far away', ['10 10 90 90', '910 10 990 90'], 1],
  ['with one in the same columns far away', ['10 10 90 90', '10 910 90 990'], 1],
  ['with one as large as no page', ['10 10 90 90', '0 0 9000 9000'], 2],
  ['with one as high as no page', ['10 10 90 90', '0 0 90 9000'], 2],
  ['with one as wide as no page', ['10 10 90 90', '0 0 9000 90'], 2],
  ['as large as no page', ['0 0 90 9000', '20 20 80 80', '20 8000 80 8050'], 3],
])('later looks: one is drawn %s', (_, places, lines) => {
  expect(drawnWith(...places).lines).toBe(lines)
})

test('later looks: those in other squares of the page cost nothing', () => {
  const far = (number: number) =>
    Array.from({ length: number }, (_, at) => `${200 + at} 900 ${209 + at} 909`)
  expect(drawnWith('10 10 90 90', ...far(150))).toEqual({ lines: 1, spent: 1 })
  const near = Array.from({ length: 150 }, () => '20 20 80 80')
  expect(drawnWith('10 10 90 90', ...near)).toEqual({ lines: 151, spent: 2 })
})
