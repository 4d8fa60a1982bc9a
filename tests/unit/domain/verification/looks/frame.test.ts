import { expect, test } from 'vitest'
import { entriesOf } from '#server/domain/pdf/object.ts'
import { drawnOnPage, type Frame, frameOf } from '#server/domain/verification/looks/frame.ts'
import { streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { documentOf, streamIn } from './drawn.ts'

const LOOK = '/Subtype/Form'
const UNREADABLE = { marks: [], isOdd: true, isCut: true, isUnread: true }

function frameWith(widget: string, look: string): Frame {
  const content = '0 0 9 9 re f'
  const document = documentOf({ 20: `<<${widget}>>`, 21: streamBody(content, LOOK + look) })
  return frameOf(document, entriesOf(document.object(20)?.value), streamIn(document, 21))
}

test.each<[string, string, number | undefined]>([
  ['as it is', '1 0 0 1', 0],
  ['larger', '2 0 0 3', 0],
  ['by a quarter', '0 1 -1 0', 90],
  ['by a half', '-1 0 0 -1', 180],
  ['by three quarters', '0 -1 1 0', 270],
  ['mirrored to the side', '-1 0 0 1', undefined],
  ['mirrored upwards', '1 0 0 -1', undefined],
  ['mirrored and turned', '0 1 1 0', undefined],
  ['mirrored and turned back', '0 -1 -1 0', undefined],
  ['slanted', '1 0 .5 1', undefined],
  ['slanted and turned by a half', '-1 0 .5 -1', undefined],
  ['by an eighth', '1 1 -1 1', undefined],
  ['onto a line', '1 0 0 0', undefined],
])('look of a widget: is turned %s', (_, matrix, turn) => {
  const frame = frameWith(
    `/Rect[0 0 20 20]/MK<</R ${turn ?? 0}>>`,
    `/BBox[0 0 20 20]/Matrix[${matrix} 0 0]`,
  )
  expect(frame.turn).toBe(turn)
  expect(frame.ink).toMatchObject(
    turn === undefined ? UNREADABLE : { marks: [{}], isOdd: false, isCut: false },
  )
})

test('look of a widget: is odd where it is turned in another way than the widget says', () => {
  const isOdd = (wanted: number) =>
    frameWith(`/Rect[0 0 20 20]/MK<</R ${wanted}>>`, '/BBox[0 0 20 20]/Matrix[-1 0 0 -1 0 0]').ink
      .isOdd
  expect([180, -180, 540, 0, 90].map(isOdd)).toEqual([false, false, false, true, true])
})

test.each<[string, string, boolean]>([
  ['in its size', '0 0 20 20', false],
  ['twice as large', '0 0 10 10', false],
  ['larger', '0 0 9.9 9.9', true],
  ['half as large', '0 0 40 40', false],
  ['smaller', '0 0 40.1 40.1', true],
  ['smaller in one direction', '0 0 44 38', true],
  ['wider by a quarter', '0 0 16 20', false],
  ['wider', '0 0 15.9 20', true],
  ['narrower by a quarter', '0 0 25 20', false],
  ['narrower', '0 0 25.1 20', true],
  ['larger by a fifth', '0 0 16.7 16.7', false],
])('look of a widget: drawn %s', (_, box, isOdd) => {
  const { ink, drawn } = frameWith('/Rect[0 0 20 20]', `/BBox[${box}]`)
  expect([ink.isOdd, drawn.isOdd]).toEqual([isOdd, false])
})

test.each([
  ['a rectangle', '', '/BBox[0 0 20 20]'],
  ['a height', '/Rect[0 0 20 0]', '/BBox[0 0 20 20]'],
  ['a box', '/Rect[0 0 20 20]', ''],
  ['a width of its box', '/Rect[0 0 20 20]', '/BBox[5 0 5 20]'],
])('look of a widget: cannot be read without %s', (_, widget, look) => {
  expect(frameWith(widget, look)).toMatchObject({ ink: UNREADABLE, drawn: UNREADABLE })
})

test('look of a widget: is drawn from the corner of its box, in the size of the rectangle', () => {
  const { ink } = frameWith('/Rect[0 0 20 20]', '/BBox[4 5 14 15]')
  expect(ink.marks).toMatchObject([{ box: { left: -8, bottom: -10, right: 10, top: 8 } }])
})

test('look of a widget: is as wide as the rectangle is high where it is turned by a quarter', () => {
  const [box, rectangle] = ['/BBox[0 0 20 30]', '/Rect[0 0 30 20]/MK<</R 90>>']
  expect(frameWith(rectangle, `${box}/Matrix[0 1 -1 0 0 0]`)).toMatchObject({
    ...{ width: 20, height: 30, ink: { isOdd: false } },
  })
  expect(frameWith(rectangle, box)).toMatchObject({ width: 20, height: 30, ink: { isOdd: true } })
})

test.each<[string, number[], number[]]>([
  ['1 0 0 1', [100, 200, 108, 204], [100, 200]],
  ['0 1 -1 0', [126, 200, 130, 208], [130, 200]],
  ['-1 0 0 -1', [122, 216, 130, 220], [130, 220]],
  ['0 -1 1 0', [100, 212, 104, 220], [100, 220]],
])('look of a widget: what it draws on its page, turned by %s', (matrix, place, start) => {
  const font = '/Resources<</Font<</F1 3 0 R>>>>'
  const isSideways = matrix.startsWith('0')
  const document = documentOf({
    20: '<</Rect[100 200 130 220]>>',
    21: streamBody(
      '0 0 8 4 re f BT /F1 10 Tf (1) Tj ET',
      `${LOOK}/BBox[0 0 ${isSideways ? '20 30' : '30 20'}]/Matrix[${matrix} 0 0]${font}`,
    ),
  })
  const frame = frameOf(document, entriesOf(document.object(20)?.value), streamIn(document, 21))
  const [left, bottom, right, top] = place
  const marks = drawnOnPage(frame, { left: 100, bottom: 200, right: 130, top: 220 })
  const isUpright = matrix === '1 0 0 1'
  expect(marks).toMatchObject([{ box: { left, bottom, right, top } }, { start, isUpright }])
})

test.each<[number, string, string, string]>([
  [90, '0 0 20 30', '[0 0 20 30]', '0 1 -1 0 20 0'],
  [180, '0 0 30 20', '[0 0 30 20]', '-1 0 0 -1 30 20'],
  [270, '0 0 20 30', '[0 0 20 30]', '0 -1 1 0 0 30'],
])(
  'look of a widget: its instructions turn what it writes, as the widget says: by %s',
  (turn, box, rectangle, matrix) => {
    const written = (wanted: number, content: string) => {
      const look = `${LOOK}/BBox[${box}]/Resources<</Font<</F1 3 0 R>>>>`
      const document = documentOf({
        20: `<</Rect${rectangle}/MK<</R ${wanted}>>>>`,
        21: streamBody(content, look),
      })
      return frameOf(document, entriesOf(document.object(20)?.value), streamIn(document, 21))
    }
    const text = 'BT /F1 10 Tf 2 5 Td (1) Tj ET'
    const turned = written(turn, `1 1 4 3 re f ${matrix} cm ${text}`)
    expect(turned).toMatchObject({ turn, width: 30, height: 20, ink: { isOdd: false } })
    expect(turned.ink.marks).toMatchObject([{}, { start: [2, 5], isUpright: true }])
    const [left = 0, bottom = 0, right = 0, top = 0] = box.split(' ').map(Number)
    const [area] = drawnOnPage(turned, { left, bottom, right, top })
    expect(area).toMatchObject({ box: { left: 1, bottom: 1, right: 5, top: 4 } })
    const isUpright = (frame: Frame) =>
      frame.ink.marks.map((mark) => 'isUpright' in mark && mark.isUpright)
    expect(isUpright(written(0, `${matrix} cm ${text}`))).toEqual([false])
    expect(isUpright(written(turn, text))).toEqual([true])
    expect(isUpright(written(turn, `q ${matrix} cm ${text} Q ${text}`))).toEqual([false, true])
  },
)
