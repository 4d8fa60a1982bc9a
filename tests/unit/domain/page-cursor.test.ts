import { expect, test } from 'vitest'
import { DocumentId } from '#server/domain/ids.ts'
import { cursorText, pageCursor } from '#server/domain/page-cursor.ts'
import { instantOf } from '#server/domain/time.ts'

const LAST = {
  at: instantOf(1_763_650_000_000),
  id: DocumentId.parse('7f3c5f0e-9d7a-4d43-8a52-0f6d0c9e4b11'),
}

test('page cursor: is read as it was written', () => {
  expect(pageCursor(DocumentId).parse(cursorText(LAST))).toEqual(LAST)
})

test.each([
  '',
  '.',
  '1763650000000',
  '1763650000000.',
  'ayer.7f3c5f0e-9d7a-4d43-8a52-0f6d0c9e4b11',
  '1763650000000.7f3c',
])('%j is no place in a list', (text) => {
  expect(pageCursor(DocumentId).safeParse(text).success).toBe(false)
})
