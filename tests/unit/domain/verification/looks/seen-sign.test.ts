import { describe, expect, test } from 'vitest'
import { showsASign } from '#server/domain/verification/looks/seen-sign.ts'
import { frameDrawing } from './drawn.ts'

const EMBEDDED = '/Subtype/TrueType/FontDescriptor<</FontFile2 5 0 R>>'
const NARROW = '/Subtype/Type1/BaseFont/Own/FirstChar 88/Widths[0]/Encoding/WinAnsiEncoding'
const RESOURCES = `<</Font<</F1 3 0 R/E<<${EMBEDDED}>>/N<<${NARROW}>>>>/ExtGState<</Pale<</ca .5/CA .5>>>>>>`
const OTHERS = {
  3: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
}
const frame = (content: string) => frameDrawing(content, RESOURCES, OTHERS)

const isSeen = (content: string, empty?: string) =>
  showsASign(frame(content), empty === undefined ? undefined : frame(empty), () => {})

const TICK = '1 w 4 9 m 8 4 l 16 16 l S'
const AREA = '5 5 10 10 re f'
const letter = (text: string, { at = 5, font = 'F1', size = 12 } = {}) =>
  `BT /${font} ${size} Tf ${at} 5 Td ${text} Tj ET`

describe('a sign in a box', () => {
  test.each([
    ['a line', TICK],
    ['an area', AREA],
    ['a letter', letter('(X)')],
    ['a letter of two points', letter('(X)', { size: 2 })],
    ['a letter of three tenths of its width', `30 Tz ${letter('(X)', { size: 10 })}`],
    ['a letter of three times its width', `300 Tz ${letter('(X)', { size: 10 })}`],
    ['a letter without a width', letter('(X)', { font: 'N' })],
    ['a letter of a font that comes with the file', letter('<07>', { font: 'E' })],
    ['a white line on a black area', `${AREA} 1 G ${TICK}`],
    ['a line below letters', `${TICK} ${letter('( )')}`],
    ['a line below a transparent area', `${TICK} /Pale gs 0 0 20 20 re f`],
    ['a line beside an area', `${TICK} 0 0 3 20 re f`],
    ['a line behind one that is not seen', `0 w ${TICK} ${TICK}`],
  ])('is seen: %s', (_, content) => {
    expect(isSeen(content)).toBe(true)
  })

  test.each([
    ['nothing', ''],
    ['a line along the foot', '1 w 0 1 m 20 1 l S'],
    ['a border', '1 w 1 1 18 18 re S'],
    ['an area along the foot', '0 0 20 2 re f'],
    ['a transparent line', `/Pale gs ${TICK}`],
    ['a transparent area', `/Pale gs ${AREA}`],
    ['a dashed line', `[3 3] 0 d ${TICK}`],
    ['a line as thin as a hair', `0.1 w ${TICK.slice(4)}`],
    ['a short line', '1 w 9 9 m 10 10 l S'],
    ['an area with holes, drawn with a wide line set', '3 w 5 5 10 10 re f*'],
    ['a white area', `1 g ${AREA}`],
    ['a line below an area', `${TICK} 1 g 0 0 20 20 re f`],
    ['a letter below an area', `${letter('(X)')} 1 g 0 0 20 20 re f`],
    ['a letter below a wide line', `${letter('(X)')} 1 G 20 w 0 10 m 20 10 l S`],
    ['a white line', `1 G ${TICK}`],
    ['a smaller letter', letter('(X)', { size: 1.9 })],
    ['a narrower letter', `29 Tz ${letter('(X)', { size: 10 })}`],
    ['a wider letter', `301 Tz ${letter('(X)', { size: 10 })}`],
    ['a space', letter('( )')],
    ['a letter that is not known', letter('<07>')],
    ['a letter of a font that is missing', letter('(X)', { font: 'Missing' })],
    ['a letter beside the field', letter('(X)', { at: 21 })],
    ['a letter without a width beside the field', letter('(X)', { at: 21, font: 'N' })],
    ['a line that a clip cuts off', `0 0 5 20 re W n ${TICK}`],
  ])('is not seen: %s', (_, content) => {
    expect(isSeen(content)).toBe(false)
  })

  test('is not seen where the empty box has it, too', () => {
    expect(isSeen(TICK, TICK)).toBe(false)
    expect(isSeen(TICK, AREA)).toBe(true)
    expect(isSeen(letter('(X)'), letter('(X)'))).toBe(false)
    for (const other of [letter('(O)'), letter('(X)', { at: 9 }), `1 g ${letter('(X)')}`])
      expect(isSeen(letter('(X)'), other), other).toBe(true)
  })

  test('costs as much as its marks have lines, once for each mark of the empty box', () => {
    const lines = `1 w 4 9 m ${'8 4 l 16 16 l '.repeat(50)}S `
    const spentOn = (empty: string | undefined) => {
      let spent = 0
      showsASign(frame(lines), empty === undefined ? undefined : frame(empty), (steps) => {
        spent += steps
      })
      return spent
    }
    const once = spentOn(undefined)
    expect(once).toBeGreaterThan(100)
    expect(spentOn('')).toBe(once)
    expect(spentOn(lines.repeat(9))).toBeGreaterThan(9 * once)
  })
})
