import { expect, test } from 'vitest'
import { array, dictionary, type PdfObject, reference } from '#server/domain/pdf/object.ts'
import { unmovedIn } from '#server/domain/verification/changes/unmoved.ts'

type Side = Parameters<typeof unmovedIn>[0]

/** Where the object stream 9 stands, and what it refers to. */
type Container = { start?: number; end?: number; entries?: Record<string, PdfObject> }

/** A document whose object 1 stands in the object stream 9, at the second place. */
function sideWith(container: Container, changes: Partial<Side> = {}): Side {
  const { start = 10, end = 500, entries = {} } = container
  return {
    entry: () => ({ kind: 'compressed', stream: 9, index: 1 }),
    object: (number) => ({
      number,
      generation: 0,
      value: {
        kind: 'stream',
        dictionary: dictionary({ Length: reference(8), ...entries }),
        data: { start: start + 50, end },
        owner: { number, generation: 0 },
      },
      span: { start, end: end + 20 },
    }),
    isEncrypted: false,
    isRepaired: false,
    ...changes,
  }
}

const at = (offset: number): Partial<Side> => ({
  entry: () => ({ kind: 'offset', offset, generation: 0 }),
})

const SAME = sideWith({})

test('unmoved: an object at the same offset, or at the same place of the same object stream', () => {
  expect(unmovedIn(SAME, sideWith({}))(1)).toBe(true)
  expect(unmovedIn(sideWith({}, at(17)), sideWith({}, at(17)))(1)).toBe(true)
})

test.each<[string, Side]>([
  ['its object stream stands elsewhere', sideWith({ start: 20 })],
  ['the data of its object stream ends elsewhere', sideWith({ end: 400 })],
  [
    'it stands at another place',
    { ...SAME, entry: () => ({ kind: 'compressed', stream: 9, index: 2 }) },
  ],
  [
    'it stands in another object stream',
    { ...SAME, entry: () => ({ kind: 'compressed', stream: 7, index: 1 }) },
  ],
  ['its object stream is none', { ...SAME, object: () => undefined }],
  ['it stands in none', sideWith({}, at(17))],
  ['it is missing', { ...SAME, entry: () => undefined }],
  ['an object was searched for', sideWith({}, { isRepaired: true })],
  ['the file is encrypted', sideWith({}, { isEncrypted: true })],
])('not unmoved: %s', (_, after) => {
  expect(unmovedIn(SAME, after)(1)).toBe(false)
})

test.each<[string, Record<string, PdfObject>]>([
  ['how many objects it has', { N: reference(3) }],
  ['a filter', { Filter: array([reference(3)]) }],
  ['a parameter of a filter', { DecodeParms: dictionary({ Columns: reference(3) }) }],
])('not unmoved: its object stream refers to an object for %s', (_, entries) => {
  expect(unmovedIn(sideWith({ entries }), sideWith({ entries }))(1)).toBe(false)
})
