import { expect, test } from 'vitest'
import { timeOrderedId } from '#server/db/time-ordered-id.ts'
import { DocumentId } from '#server/domain/ids.ts'

const AT = 1_645_557_742_000

test('an id begins with the time of its row and names version and variant, as the example of RFC 9562, A.6', () => {
  const id = timeOrderedId(AT)
  expect(id).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(DocumentId.parse(id)).toBe(id)
})

test('ids sort in the order of their times, to the millisecond', () => {
  const ids = [0, 1, 255, 256, 65_536, 2 ** 40].map((later) => timeOrderedId(AT + later))
  expect(ids.toSorted()).toEqual(ids)
})

test('ids made in one millisecond differ', () => {
  const ids = new Set(Array.from({ length: 10_000 }, () => timeOrderedId(AT)))
  expect(ids.size).toBe(10_000)
})
