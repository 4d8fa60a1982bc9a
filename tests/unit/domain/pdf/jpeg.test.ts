import { expect, test } from 'vitest'
import { decodeJpeg } from '#server/domain/pdf/pictures/jpeg.ts'
import { JPEGS } from '#tests/attacks/scanned-letters.ts'

const picture = [...Buffer.from(JPEGS.digit, 'base64')]
const END = [0xff, 0xd9]
const markerAt = (marker: number) =>
  picture.findIndex((byte, at) => byte === 0xff && picture[at + 1] === marker)
const inserted = (at: number, bytes: readonly number[]) => [
  ...picture.slice(0, at),
  ...bytes,
  ...picture.slice(at),
]
const changed = (at: number, byte: number) => picture.with(at, byte)

test('JPEG: a picture as programs write it has one component of as many samples as it says', () => {
  const [plane, ...others] = decodeJpeg(Uint8Array.from(picture)) ?? []
  expect(others).toEqual([])
  expect(plane).toMatchObject({ width: 300, height: 300 })
  expect(Math.min(...plane!.samples)).toBeLessThan(60)
})

/** The scan and its data, which end before the end of the picture. */
const scan = picture.slice(markerAt(0xda), -END.length)

test.each([
  ['one component is scanned twice', inserted(picture.length - 2, scan)],
  ['a table follows its scan', inserted(picture.length - 2, picture.slice(20, 89))],
  ['a marker has no length', inserted(markerAt(0xdb), [0xff, 0x01])],
  ['its height follows', inserted(picture.length - 2, [0xff, 0xdc, 0, 4, 0, 100])],
  ['data stands between its segments', inserted(markerAt(0xdb), [0])],
  ['its data ends too early', [...picture.slice(0, -100), ...END]],
  ['restarts are missing', inserted(markerAt(0xda), [0xff, 0xdd, 0, 4, 0, 2])],
  ['it has 12 bits for each sample', changed(markerAt(0xc0) + 4, 12)],
  ['it has no height', changed(markerAt(0xc0) + 5, 0).with(markerAt(0xc0) + 6, 0)],
  ['it is coded by arithmetic', changed(markerAt(0xc0) + 1, 0xc9)],
  ['its values are far from any shade', changed(markerAt(0xdb) + 5, 255)],
  ['a table of codes has too many of one length', changed(markerAt(0xc4) + 5, 9)],
])('JPEG: a picture is not read if %s, which decoders mend each in its own way', (_, bytes) => {
  expect(decodeJpeg(Uint8Array.from(bytes))).toBeUndefined()
})

test('JPEG: what is no picture is not read', () => {
  expect(decodeJpeg(new Uint8Array())).toBeUndefined()
  expect(decodeJpeg(Uint8Array.of(0xff, 0xd8))).toBeUndefined()
})
