import { expect, test } from 'vitest'
import { byteString, dictionary, reference } from '#server/domain/pdf/object.ts'
import {
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { changed, edit, factsOf, levelOf, newStream, signed } from './signed-files.ts'

const text = (value: string) => byteString(bytesOf(value))
const base = (catalog = '', page = '') => {
  const plain = bodiesWithPages(2, `/Metadata 30 0 R${catalog}`)
  return signed(
    pdfWithTable({
      ...plain,
      12: plain[12]!.replace('/Contents', `/Metadata 31 0 R${page}/Contents`),
      30: streamBody('de antes'),
      31: streamBody('de antes'),
    }),
  )
}

test.each([30, 31])('metadata: the packet %i of the document or of a page may change', (number) => {
  const file = changed(base(), (update) => update.set(reference(number), newStream('de ahora')))
  expect(factsOf(file)).toEqual([['metadata-updated', {}]])
  expect(levelOf(file)).toBe('LTA_UPDATES')
})

test.each([
  ['that something else uses', '/Own 30 0 R', newStream('de ahora')],
  ['that becomes something else', '', dictionary({})],
])('metadata: a packet %s may not', (_, catalog, now) => {
  const file = changed(base(catalog), (update) => update.set(reference(30), now))
  expect(levelOf(file)).toBe('OTHER')
})

test.each([
  ['the author', { Author: text('Otra') }, 'OTHER'],
  ['a title that is missing', { Title: undefined }, 'OTHER'],
  ['the date', { ModDate: text('D:2027') }, 'LTA_UPDATES'],
])('information: %s that was added or changed', (_, entries, level) => {
  expect(levelOf(changed(base(), (update) => edit(update, 4, entries)))).toBe(level)
})
