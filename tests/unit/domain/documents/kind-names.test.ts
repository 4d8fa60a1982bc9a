import { expect, test } from 'vitest'
import { documentKinds } from '#app/messages/documents.ts'
import { KIND_NAMES } from '#server/domain/documents/kind-names.ts'

test('a document is called on paper what it is called on screen', () => {
  expect(KIND_NAMES).toEqual(documentKinds)
})
