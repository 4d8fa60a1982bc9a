import { expect, test } from 'vitest'
import { decodeFax } from '#server/domain/pdf/pictures/fax.ts'
import { HORIZONTAL, PASS, RUNS, VERTICAL } from '#server/domain/pdf/pictures/fax-codes.ts'
import { faxOf, packed } from '#tests/support/pdf/fax.ts'

const shown = (data: Uint8Array | undefined, width: number) =>
  data &&
  Array.from({ length: data.length / Math.ceil(width / 8) }, (_, row) =>
    Array.from({ length: width }, (_, at) => {
      const byte = data[row * Math.ceil(width / 8) + (at >> 3)]!
      return ((byte >> (7 - (at & 7))) & 1) === 1 ? ' ' : '#'
    }).join(''),
  )

const DIGIT = [
  '                    ',
  '      #######       ',
  '     ##     ##      ',
  '    ##       ##  ###',
  '##  ##       ##     ',
  '     ##     ##      ',
  '      #######   #   ',
  '####################',
  '# # # # # # # # # # ',
  '                    ',
]

test('fax: the rows are those that were coded', () => {
  expect(shown(decodeFax(faxOf(DIGIT), 20, DIGIT.length), 20)).toEqual(DIGIT)
})

test('fax: a white row is one bit, and the mark at the end may be missing', () => {
  expect(shown(decodeFax(packed('111'), 9, 3), 9)).toEqual(Array(3).fill(' '.repeat(9)))
})

test('fax: runs may have any length', () => {
  const rows = Array.from({ length: 60 }, (_, at) => {
    const white = 97 * at
    const black = 6000 - white - 5
    return `${' '.repeat(white)}${'#'.repeat(black)}     `
  })
  expect(shown(decodeFax(faxOf(rows), 6000, rows.length), 6000)).toEqual(rows)
})

const white = (length: number) => RUNS.white.get(length)
const black = (length: number) => RUNS.black.get(length)
const SAME = VERTICAL.get(0)
/** Twenty pixels: four white ones, two black ones and the rest. */
const FIRST = `${HORIZONTAL}${white(4)}${black(2)}${SAME}`

test('fax: a row like the one above it is one bit for each change', () => {
  expect(shown(decodeFax(packed(`${FIRST}111`), 20, 2), 20)).toEqual(
    Array(2).fill(`    ##${' '.repeat(14)}`),
  )
})

test.each([
  ['a row is missing', FIRST],
  ['it ends within a code', `${FIRST}001`],
  ['a code means nothing', `${FIRST}00000000${'1'.repeat(9)}`],
  ['the mark at the end comes too early', `${FIRST}000000000001000000000001`],
  ['a run leaves the row', `${FIRST}${HORIZONTAL}${white(12)}${black(9)}`],
  ['a run has more than one short part', `${HORIZONTAL}${white(64)}${white(64)}${white(0)}`],
  ['runs are written where the row above is near', `${FIRST}${HORIZONTAL}${white(4)}${black(9)}1`],
  ['a run in the middle is empty', `${FIRST}${HORIZONTAL}${white(9)}${black(0)}1`],
  ['a change goes back', `${FIRST}${VERTICAL.get(1)}${VERTICAL.get(-1)}1`],
  ['a change is behind two of the row above', `${FIRST}${VERTICAL.get(3)}1`],
  ['it passes what is not there', `${FIRST}${SAME}${SAME}${PASS}1`],
])('fax: is not read where %s', (_, bits) => {
  expect(decodeFax(packed(bits), 20, 2)).toBeUndefined()
})
