import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { mayHaveLostSignatures } from '#server/domain/verification/traces-of-signatures.ts'
import { appendRevision } from '#tests/attacks/revision.ts'
import {
  type Bodies,
  bodiesWithPages,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'

const isLost = (file: Uint8Array) => mayHaveLostSignatures(readDocument(memorySource(file)))
const withBodies = (bodies: Bodies) => pdfWithTable({ ...bodiesWithPages(1), ...bodies })
const marks = (count: number) => '/ByteRange '.repeat(count)

test('traces of signatures: those inside an object or a stream tell of no loss', () => {
  expect(isLost(withBodies({}))).toBe(false)
  expect(isLost(withBodies({ 40: streamBody(marks(2)), 41: '<</Contents <3003>>>' }))).toBe(false)
  const later = appendRevision(withBodies({ 40: streamBody(marks(2)) }), {
    40: 'null',
    41: streamBody(marks(1)),
  })
  expect(isLost(later)).toBe(false)
})

test('traces of signatures: one behind the end of an object does', () => {
  const loose = 'null\nendobj\n<</Type/Sig/ByteRange[0 1 2 3]/Contents<3003020101>>>\n'
  expect(isLost(withBodies({ 40: loose }))).toBe(true)
  expect(isLost(withBodies({ 40: 'null\nendobj\n(nada)\n' }))).toBe(false)
})

test('traces of signatures: in a file whose rows lead astray, any trace does', () => {
  const bodies = (text: string) => withBodies({ 40: streamBody(text) })
  const astray = (text: string) =>
    appendRevision(bodies(text), { 60: '(nada)' }, { rows: { 11: [1, 5, 0] } })
  const document = readDocument(memorySource(astray('texto')))
  // Reads the object that has to be searched for.
  expect(document.object(11)?.span).toBeDefined()
  expect([document.isRepaired, document.isRebuilt]).toEqual([true, false])
  expect(mayHaveLostSignatures(document)).toBe(false)
  const traced = readDocument(memorySource(astray(marks(1))))
  traced.object(11)
  expect(mayHaveLostSignatures(traced)).toBe(true)
})

test('traces of signatures: at most 64 are looked at, and each is counted once', () => {
  expect(isLost(withBodies({ 40: streamBody(marks(64)) }))).toBe(false)
  expect(isLost(withBodies({ 40: streamBody(marks(65)) }))).toBe(true)
  const long = ' '.repeat(3 << 20)
  expect(isLost(withBodies({ 40: streamBody(marks(64) + long) }))).toBe(false)
})

const MARKS = ['/ByteRange', '/Contents<30', '/Contents <30', '/Contents\n<30']

test.each(MARKS)('traces of signatures: %j across the border of two chunks is found', (mark) => {
  const file = (filler: number) =>
    withBodies({ 40: `null\nendobj\n${' '.repeat(filler)}${mark}\n` })
  const place = Buffer.from(file(0)).indexOf(mark)
  for (let cut = 1; cut < mark.length; cut++)
    expect(isLost(file((1 << 20) - place - cut)), `${cut}`).toBe(true)
})
