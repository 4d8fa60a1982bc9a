import { describe, expect, test } from 'vitest'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import {
  array,
  dictionary,
  name,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import type { Matrix } from '#server/domain/verification/looks/geometry.ts'
import { shownThrough } from '#server/domain/verification/looks/soft-mask.ts'

const streamOf = (entries: Record<string, PdfObject>): PdfStream => ({
  ...{ kind: 'stream', dictionary: dictionary(entries), data: { start: 0, end: 0 } },
  owner: { number: 1, generation: 0 },
})

/** A picture with a soft mask of these samples, from its upper left corner. */
function traces(
  [width, height]: readonly [number, number],
  matrix: Matrix,
  { samples = () => 100, entries = {} }: Picture = {},
) {
  const bytes = Uint8Array.from({ length: width * height }, (_, at) => samples(at))
  const document = {
    resolve: (value?: PdfObject) => value ?? null,
    decoded: () => bytes,
  } as unknown as PdfDocument
  const mask = {
    ...{ Width: width, Height: height, BitsPerComponent: 8, ColorSpace: name('DeviceGray') },
    ...entries,
  }
  return shownThrough(document, streamOf({ SMask: streamOf(mask) }), matrix)
}
type Picture = { samples?: (at: number) => number; entries?: Record<string, PdfObject> }

const SMALL: Matrix = [6, 0, 0, 6, 10, 20]

describe('a picture that is mostly transparent', () => {
  test('is seen where its mask lets it through', () => {
    const found = traces([2, 2], SMALL, { samples: (at) => (at === 1 ? 255 : 0) })
    expect(found).toEqual([{ box: { left: 13, bottom: 23, right: 16, top: 26 }, part: 1 }])
  })

  test('is divided as it is drawn, also where it is turned', () => {
    const sizesOf = (matrix: Matrix) =>
      traces([100, 10], matrix)?.map(({ box }) => [box.right - box.left, box.top - box.bottom])
    const wide = sizesOf([60, 0, 0, 6, 0, 0])
    expect(wide).toHaveLength(40)
    expect(wide?.[0]).toEqual([3, 3])
    const turned = sizesOf([0, 60, -6, 0, 0, 0])
    expect(turned).toHaveLength(40)
    expect(turned?.[0]?.map(Math.round)).toEqual([3, 3])
  })

  test('hides something where more than a twentieth of it is seen', () => {
    // Of four samples, 51 of 1020.
    const pale = (sum: number) =>
      traces([2, 2], [1, 0, 0, 1, 0, 0], { samples: (at) => (at ? 0 : sum) })
    expect(pale(51)).toEqual([])
    expect(pale(52)).toHaveLength(1)
    expect(pale(0)).toEqual([])
  })

  test.each<[string, readonly [number, number], Matrix, Picture?]>([
    ['is mostly opaque', [2, 2], SMALL, { samples: () => 128 }],
    ['is longer than a page', [300, 1], [700, 0, 0, 3, 0, 0]],
    ['is higher than a page', [1, 300], [3, 0, 0, 700, 0, 0]],
    ['has samples of another size', [2, 2], SMALL, { entries: { BitsPerComponent: 4 } }],
    ['has colours', [2, 2], SMALL, { entries: { ColorSpace: name('DeviceRGB') } }],
    ['is turned to its contrary', [2, 2], SMALL, { entries: { Decode: array([1, 0]) } }],
    ['has no width', [2, 2], SMALL, { entries: { Width: 0 } }],
    ['has no height', [2, 2], SMALL, { entries: { Height: name('a') } }],
    ['has more samples than it says', [2, 2], SMALL, { entries: { Width: 1 } }],
    ['has fewer', [2, 2], SMALL, { entries: { Height: 3 } }],
  ])('is not computed where it %s', (_, size, matrix, picture) => {
    expect(traces(size, matrix, picture)).toBeUndefined()
  })

  test('is computed with the usual decoding, and in the largest size', () => {
    expect(traces([2, 2], SMALL, { entries: { Decode: array([0, 1]) } })).toHaveLength(4)
    expect(traces([300, 1], [600, 0, 0, 3, 0, 0])).toHaveLength(200)
  })

  test('is not computed without a mask, or with one that is damaged; a mistake of ours is none', () => {
    const failing = (error: Error) =>
      ({
        resolve: (value?: PdfObject) => value ?? null,
        decoded() {
          throw error
        },
      }) as unknown as PdfDocument
    const [damaged, wrong] = [new PdfError('damaged', 'cut off'), new RangeError('ours')].map(
      failing,
    )
    expect(shownThrough(damaged!, streamOf({}), SMALL)).toBeUndefined()
    const mask = { Width: 2, Height: 2, BitsPerComponent: 8, ColorSpace: name('DeviceGray') }
    const picture = streamOf({ SMask: streamOf(mask) })
    expect(shownThrough(damaged!, picture, SMALL)).toBeUndefined()
    expect(() => shownThrough(wrong!, picture, SMALL)).toThrow(RangeError)
  })
})
