import { expect, test } from 'vitest'
import { pagesOfObjects } from '#server/domain/verification/changes/page-of-object.ts'
import { bodiesWithPages } from '#tests/support/pdf/pdf-builders.ts'
import { documentOf } from '#tests/unit/domain/verification/looks/drawn.ts'

const found = (...args: Parameters<typeof pagesOfObjects>) =>
  [...pagesOfObjects(...args)].toSorted()

test('page of an object: the first one that uses it, or is it', () => {
  const document = documentOf(bodiesWithPages(2))
  expect(found(document, new Set([10, 11, 12, 13, 3, 99]))).toEqual(
    [
      ...[
        [10, 1],
        [11, 1],
        [12, 2],
        [13, 2],
        [3, 1],
      ],
    ].toSorted(),
  )
  expect(found(document, new Set([13]))).toEqual([[13, 2]])
})

test('page of an object: one that is written in the tree has objects, too', () => {
  const document = documentOf({
    2: '<</Type/Pages/Count 1/Kids[<</Type/Page/Parent 2 0 R/Contents 11 0 R>>]>>',
  })
  expect(found(document, new Set([11]))).toEqual([[11, 1]])
})
