import { expect, test } from 'vitest'
import { paintsOf } from '#server/domain/verification/looks/marks.ts'
import { streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { drawn } from './drawn.ts'

const drawnObject = (entries: string, content = '0 0 9 9 re f') =>
  drawn('/X Do', '<</XObject<</X 21 0 R>>>>', { 21: streamBody(content, entries) })
const FORM = '/Subtype/Form/BBox[0 0 5 9]'
const IMAGE = '/Subtype/Image/Width 1/Height 1/BitsPerComponent 8'

test('a form draws its instructions inside of its box', () => {
  const ink = drawnObject(`${FORM}/Matrix[2 0 0 1 1 0]`)
  expect(ink).toMatchObject({ isOdd: false, isCut: false })
  expect(paintsOf(ink)).toMatchObject([
    {
      box: { left: 1, bottom: 0, right: 19, top: 9 },
      clip: { left: 1, bottom: 0, right: 11, top: 9 },
    },
  ])
})

test.each([
  ['a filter without parameters', '', false],
  ['parameters', '/DecodeParms<</Own 1>>', true],
  ['data in another file', '/F(a)', true],
])('a form whose data has %s is read alike by all readers, or odd', (_, entries, isOdd) => {
  expect(drawnObject(FORM + entries)).toMatchObject({ marks: [{}], isOdd, isCut: false })
})

test.each([
  ['a form', FORM],
  ['a picture', IMAGE],
])('%s of a layer is odd: readers may show it or not', (_, entries) => {
  expect(drawnObject(entries).isOdd).toBe(false)
  const ink = drawnObject(`${entries}/OC<</Type/OCG>>`)
  expect(ink).toMatchObject({ marks: [{}], isOdd: true, isCut: false })
})

test.each([
  ['no picture and no form', '/Subtype/PS'],
  ['a form without a box', '/Subtype/Form'],
  ['a form with a matrix that is none', `${FORM}/Matrix[1 0 0 1]`],
])('an object of which nothing is read may draw anything: %s', (_, entries) => {
  expect(drawnObject(entries)).toMatchObject({
    marks: [{ kind: 'picture', isOpaque: false, covers: false }],
    ...{ isOdd: true, isCut: true, isUnread: false },
  })
})

test.each([
  ['a picture', '/ColorSpace/DeviceGray', true],
  ['a stencil', '/ImageMask true', false],
  ['one that says it is no stencil', '/ColorSpace/DeviceGray/ImageMask false', true],
  ['one with a mask', '/ColorSpace/DeviceGray/Mask[0 1]', false],
  ['one with a soft mask', '/ColorSpace/DeviceGray/SMask 30 0 R', false],
])('picture: hides all that is below it: %s', (_, entries, isOpaque) => {
  expect(paintsOf(drawnObject(IMAGE + entries))).toMatchObject([{ kind: 'picture', isOpaque }])
})

test('picture: where it is seen through its mask counts only if it hides anything', () => {
  const mask = streamBody('\xff\0\0\0', `${IMAGE.replaceAll(' 1', ' 2')}/ColorSpace/DeviceGray`)
  const seen = (alpha: number) =>
    paintsOf(
      drawn('/G gs /X Do', `<</XObject<</X 21 0 R>>/ExtGState<</G<</ca ${alpha}>>>>>>`, {
        21: streamBody('x', `${IMAGE}/ColorSpace/DeviceGray/SMask 30 0 R`),
        30: mask,
      }),
    ).map(({ shown, covers }) => [shown?.length, covers])
  expect(seen(1)).toEqual([[1, false]])
  expect(seen(0.3)).toEqual([[undefined, false]])
})
