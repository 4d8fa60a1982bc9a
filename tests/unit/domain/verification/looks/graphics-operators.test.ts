import { expect, test } from 'vitest'
import { paintsOf } from '#server/domain/verification/looks/marks.ts'
import { drawn } from './drawn.ts'

const SPACES =
  '<</ColorSpace<</Grey/DeviceGray/Own[/Separation/Black/DeviceGray<<>>]>>/Pattern<</Smooth<</PatternType 2/Shading<</ShadingType 2>>>>/Tiles<</PatternType 1>>>>>>'

test.each<[string, number | undefined]>([
  ['/DeviceGray cs', 0],
  ['/DeviceGray cs 0.5 sc', 0.5],
  ['/DeviceRGB cs 0 1 0 scn', 0.59],
  ['/DeviceCMYK cs 0 0 0 0.5 sc', 0.5],
  ['/Grey cs 0.5 sc', 0.5],
  ['/Own cs 0.5 sc', undefined],
  ['/Unknown cs 0.5 sc', undefined],
])('colour of an area: %s', (content, lightness) => {
  const [paint] = paintsOf(drawn(`${content} 0 0 9 9 re f`, SPACES))
  expect(paint?.lightness).toBe(lightness)
  const capital = content.replace(/(cs|scn?)\b/g, (operator) => operator.toUpperCase())
  const [line] = paintsOf(drawn(`${capital} 0 0 9 9 re S`, SPACES))
  expect(line?.lightness).toBe(lightness)
})

test.each<[string, boolean]>([
  ['/Span <</Lang(es-MX)>> BDC', false],
  ['/Span <</ActualText(9)>> BDC', true],
  ['/Span <</Alt(9)>> BDC', true],
  ['/Span <</E(9)>> BDC', true],
  ['/OC <<>> BDC', true],
])('content: %s may be left out or read as something else: %s', (begin, isOdd) => {
  expect(drawn(`${begin} 0 0 9 9 re f EMC`)).toMatchObject({ marks: [{}], isOdd })
})

test.each<[string, boolean]>([
  ['/Smooth scn', false],
  ['/Tiles scn', true],
  ['/Unknown scn', true],
  // PDFium and Ghostscript take the last of two names, MuPDF the first one.
  ['/Smooth /Tiles scn', true],
])('pattern: %s may draw letters: %s', (content, isCut) => {
  expect(drawn(`/Pattern cs ${content} 0 0 9 9 re f`, SPACES)).toMatchObject({ isOdd: true, isCut })
})
