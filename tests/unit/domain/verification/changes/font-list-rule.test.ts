import { expect, test } from 'vitest'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { dictionary, type PdfObject, reference } from '#server/domain/pdf/object.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { judgeFontLists } from '#server/domain/verification/changes/font-list-rule.ts'
import { bodiesWithPages, pdfWithTable, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { changed, edit, levelOf, signed } from './signed-files.ts'

/** A list of fonts of the page gains the name Helv; a picture of the page has this data. */
function levelWith(data: string, filter: string): string {
  const plain = bodiesWithPages(1)
  const picture = `/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8${filter}`
  const base = signed(
    pdfWithTable({
      ...plain,
      10: plain[10]!.replace(
        /\/Resources<<.*?>>>>/,
        '/Resources<</Font 22 0 R/XObject<</Im 23 0 R>>>>',
      ),
      22: '<</F1 3 0 R>>',
      23: streamBody(data, picture),
    }),
  )
  return levelOf(changed(base, (update) => edit(update, 22, { Helv: reference(3) })))
}

test.each([
  ['without a filter', '/Helv', '', 'OTHER'],
  ['that does not name it', 'nada', '', 'NONE'],
  ['in JPEG', '/Helv', '/Filter/DCTDecode', 'NONE'],
  ['in JPEG, by a list of filters', '/Helv', '/Filter[/DCTDecode]', 'NONE'],
  ['in JPEG, compressed once more', '/Helv', '/Filter[/FlateDecode/DCTDecode]', 'NONE'],
  ['in JPEG 2000', '/Helv', '/Filter[/JPXDecode]', 'NONE'],
  ['of a fax', '/Helv', '/Filter/CCITTFaxDecode', 'NONE'],
  ['in JBIG2', '/Helv', '/Filter/JBIG2Decode', 'NONE'],
  ['that cannot be read', 'nada', '/Filter/Own', 'OTHER'],
])('list of fonts: gains a name beside data %s', (_, data, filter, level) => {
  expect(levelWith(data, filter)).toBe(level)
})

test.each([
  ['FontFile', '', 'NONE'],
  ['FontFile2', '', 'NONE'],
  ['FontFile3', '', 'NONE'],
  ['FontFile3', '/Own 26 0 R', 'OTHER'],
])('list of fonts: gains a name that stands in a font file by chance: %s%s', (key, own, level) => {
  const plain = bodiesWithPages(1)
  const base = signed(
    pdfWithTable({
      ...plain,
      10: plain[10]!.replace(/\/Resources<<.*?>>>>/, `/Resources<</Font 22 0 R>>${own}`),
      22: '<</F1 24 0 R>>',
      24: '<</Type/Font/Subtype/TrueType/FontDescriptor 25 0 R>>',
      25: `<</Type/FontDescriptor/${key} 26 0 R>>`,
      26: streamBody('a/Helv b'),
    }),
  )
  expect(levelOf(changed(base, (update) => edit(update, 22, { Helv: reference(3) })))).toBe(level)
})

test('list of fonts: a mistake of ours is not taken for a damaged file', () => {
  const [old, now] = [dictionary({}), dictionary({ F1: reference(3) })]
  const stream: PdfObject = {
    ...{ kind: 'stream', dictionary: dictionary({}), data: { start: 0, end: 1 } },
    owner: { number: 6, generation: 0 },
  }
  const documentWith = (list: PdfObject) =>
    ({
      object: (number: number) => ({ value: number === 5 ? list : stream }),
      resolve: () => null,
      decoded() {
        throw new RangeError('ours')
      },
    }) as unknown as PdfDocument
  const comparison = {
    ...{ before: documentWith(old), after: documentWith(now), isSame: () => true },
    changed: new Set([5]),
    reachBefore: {
      roles: new Map([
        [5, new Set(['Font'])],
        [6, new Set(['Contents'])],
      ]),
    },
  } as unknown as Comparison
  expect(() => judgeFontLists(comparison)).toThrow(RangeError)
})
