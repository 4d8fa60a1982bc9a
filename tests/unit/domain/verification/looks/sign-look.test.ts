import { describe, expect, test } from 'vitest'
import { addsOnlyASign } from '#server/domain/verification/looks/sign-look.ts'
import { frameDrawing } from './drawn.ts'

const RESOURCES =
  '<</Font<</F1<</Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>/Signs<</Subtype/Type1/BaseFont/ZapfDingbats>>/Greek<</Subtype/Type1/BaseFont/Symbol>>>>/XObject<</Im 21 0 R>>>>'
const OTHERS = {
  21: '<</Subtype/Image/Width 1/Height 1/Length 1>>\nstream\nx\nendstream',
}
type Rules = {
  shown?: string
  hasColours?: boolean
  size?: number
  isSigned?: boolean
  isKnown?: boolean
}

function frame(content: string, size = 20) {
  return { ...frameDrawing(content, RESOURCES, OTHERS), width: size, height: size }
}

function judged(content: string, rules: Rules) {
  const { shown, hasColours = false, size, isSigned = false, isKnown = true } = rules
  let spent = 0
  const isSign = addsOnlyASign(frame(content, size), {
    shown: shown === undefined ? undefined : frame(shown, size),
    ...{ hasColours, isSigned },
    isKnown: () => isKnown,
    spend: (steps) => {
      spent += steps
    },
  })
  return { isSign, spent }
}
const isSign = (content: string, rules: Rules = {}) => judged(content, rules).isSign

const LIGHT = '.9 g 5 5 9 9 re f'
const letters = (text: string, size: number) => `BT /F1 ${size} Tf 2 9 Td (${text}) Tj ET`
const LINE = '2 2 m 9 9 l S '
const curves = (count: number) => `5 5 m ${'6 6 7 7 8 8 c '.repeat(count)}S`

describe('a ticked box adds only a sign', () => {
  test.each<[string, string, Rules?]>([
    ['a dark line', '2 2 m 9 9 l S'],
    ['a dark area', '.8 g 5 5 9 9 re f'],
    ['a light area where one was', LIGHT, { shown: '1 g 4 4 12 12 re f' }],
    ['a light area of a small box that says it has a colour', LIGHT, { hasColours: true }],
    ['as many curves as a round border and a tick have', curves(60)],
    ['three letters', letters('Sim', 9)],
    ['three crosses', letters('xXx', 9)],
    ['a word of another language', letters('Oui', 9)],
    ['a word that agrees', letters('s\\355', 9)],
    ['another word that was signed so', letters('No', 9), { isSigned: true }],
    ['a letter as high as a sign', letters('X', 28.5)],
    ['one as high with its outline', `2 w 2 Tr ${letters('X', 27)}`],
    ['letters as wide as a sign with their outline', `1 w 2 Tr ${letters('Sim', 13)}`],
    ['letters of signs that readers have', `BT /Signs 9 Tf 2 9 Td (4) Tj ET`, { isKnown: false }],
    ['as many old lines as boxes have', LINE.repeat(200), { shown: LINE.repeat(200) }],
    ['a line as high as a sign', '2 w 5 1 m 5 39 l S', { size: 99 }],
    ['nothing', ''],
  ])('with %s', (_, content, rules) => {
    expect(isSign(content, rules)).toBe(true)
  })

  test.each<[string, string, Rules?]>([
    ['a light area', LIGHT],
    ['a light area beside the old one', LIGHT, { shown: '1 g 9 4 12 12 re f' }],
    ['a light area of a large box', LIGHT, { hasColours: true, size: 41 }],
    ['a picture', 'q 5 0 0 5 5 5 cm /Im Do Q'],
    ['a picture where an area was', 'q 5 0 0 5 5 5 cm /Im Do Q', { shown: '0 g 4 4 9 9 re f' }],
    ['a picture that has a colour', 'q 5 0 0 5 5 5 cm /Im Do Q', { hasColours: true }],
    ['an area of a colour that is not known', '/Own cs 5 5 9 9 re f'],
    ['more curves', curves(61)],
    ['four letters', letters('Simo', 9)],
    ['a word that contradicts', letters('No', 9)],
    ['one in two pieces', `${letters('N', 9)} BT /F1 9 Tf 9 9 Td (o) Tj ET`],
    ['a letter that agrees to nothing', letters('N', 9)],
    ['a sign that is no tick', `BT /Signs 9 Tf 2 9 Td (N) Tj ET`],
    ['two signs', `BT /Signs 9 Tf 2 9 Td (no) Tj ET`],
    ['a letter of Greek', `BT /Greek 9 Tf 2 9 Td (N) Tj ET`, { isKnown: false }],
    ['a digit', letters('9', 9)],
    ['a digit that was signed so', letters('9', 9), { isSigned: true }],
    ['a higher letter', letters('X', 28.7)],
    ['one that is higher with its outline', `2.5 w 2 Tr ${letters('X', 27)}`],
    ['letters that are wider with their outline', `1.2 w 2 Tr ${letters('Sim', 13)}`],
    ['a letter of a font that is not known', letters('X', 9), { isKnown: false }],
    ['a letter that is not painted', `3 Tr ${letters('X', 9)}`],
    ['an old letter in another colour and place', letters('9', 9), { shown: letters('8', 8) }],
    ['more old lines', LINE.repeat(201), { shown: LINE.repeat(200) }],
    ['a higher line', '3 w 5 1 m 5 39 l S', { size: 99 }],
    ['a wider line', '3 w 1 9 m 39 9 l S', { size: 99 }],
    ['lines far apart', '5 5 m 9 9 l S 60 5 m 64 9 l S', { size: 99 }],
  ])('not with %s', (_, content, rules) => {
    expect(isSign(content, rules)).toBe(false)
  })

  test('and costs as much as its lines are compared with the old marks', () => {
    const lines = `5 5 m ${'6 6 l 5 5 l '.repeat(10)}S `
    const [none, many] = ['', lines.repeat(9)].map((shown) => judged(lines, { shown }).spent)
    expect(none).toBeGreaterThan(20)
    expect(many).toBe(10 * none!)
  })
})
