import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isStream, isString } from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import {
  appendTable,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'
import { rewritten, VARIANTS } from './variants.ts'

const read = (bytes: Uint8Array) => readDocument(memorySource(bytes))

function contentsOfPage(document: ReturnType<typeof read>, index: number): string {
  const stream = document.resolve(pagesOf(document)[index]!.dictionary.entries.get('Contents'))
  return isStream(stream) ? textOf(document.decoded(stream)) : ''
}

test.each(Object.keys(VARIANTS))('%s is read without repair', (variant) => {
  const document = read(VARIANTS[variant]!())
  expect(pagesOf(document)).toHaveLength(3)
  expect(contentsOfPage(document, 2)).toContain('(Page 3)')
  expect(document.isRepaired).toBe(false)
  const font = entriesOf(
    document.resolve(entriesOf(pagesOf(document)[0]!.inherited.get('Resources')!).get('Font')),
  )
  expect(entriesOf(document.resolve(font.get('F1'))).get('BaseFont')).toEqual({
    kind: 'name',
    value: 'Helvetica',
  })
  const info = entriesOf(document.resolve(document.trailer.entries.get('Info')))
  const title = info.get('Title')
  expect(isString(title) && textOf(title.bytes)).toBe('Escritura (una)')
  expect(info.get('Own Key')).toBe(1.5)
})

test.each(Object.keys(VARIANTS))(
  '%s has one revision that ends at the end of the file',
  (variant) => {
    const bytes = VARIANTS[variant]!()
    const { revisions } = read(bytes)
    expect(revisions).toHaveLength(1)
    expect(revisions[0]!.end).toBe(bytes.length)
  },
)

test('each revision is seen as it stood', () => {
  const first = pdfWithTable(bodiesWithPages(2))
  const second = appendTable(first, { 13: streamBody('BT (Other) Tj ET') })
  const document = read(second)
  expect(document.revisions.map(({ end }) => end)).toEqual([first.length, second.length])
  expect([...document.revisions[1]!.defines]).toEqual([13])
  expect(contentsOfPage(document, 1)).toContain('Other')
  expect(contentsOfPage(document.at(0), 1)).toContain('Page 2')
})

test('a freed object is gone', () => {
  const first = pdfWithTable(bodiesWithPages(1))
  const xref = `xref\n4 1\n0000000000 00001 f \ntrailer\n<</Size 12/Root 1 0 R/Prev ${/startxref\n(\d+)/.exec(textOf(first))![1]}>>\nstartxref\n${first.length}\n%%EOF\n`
  const document = read(bytesOf(textOf(first) + xref))
  expect([...document.revisions[1]!.frees]).toEqual([4])
  expect(document.object(4)).toBeUndefined()
  expect(document.at(0).object(4)).toBeDefined()
})

test('a place remembers where it stands in the file', () => {
  const bytes = pdfWithTable(bodiesWithPages(1), { junk: 'junk\n' })
  const document = read(bytes)
  const { span, value } = document.object(4)!
  expect(textOf(bytes.subarray(span!.start, span!.end))).toMatch(/^4 0 obj[\s\S]*endobj$/)
  const title = entriesOf(value).get('Title')
  expect(isString(title) && textOf(bytes.subarray(title.span!.start, title.span!.end))).toBe(
    '(Escritura \\(una\\))',
  )
})

test.each([
  [
    'a startxref slightly off',
    (text: string) => text.replace(/startxref\n(\d+)/, (_, at) => `startxref\n${Number(at) + 7}`),
  ],
  ['a startxref that lies', (text: string) => text.replace(/startxref\n\d+/, 'startxref\n17')],
  ['no startxref', (text: string) => text.replace(/startxref[\s\S]*/, '')],
  ['offsets that lie', (text: string) => text.replace(/\d{10} 00000 n/g, '0000000300 00000 n')],
  ['a length that lies', (text: string) => text.replace(/\/Length \d+/g, '/Length 3')],
  [
    'a /Prev that loops',
    (text: string) => text.replace('/Root', `/Prev ${/startxref\n(\d+)/.exec(text)![1]}/Root`),
  ],
  ['bytes before it', (text: string) => `${' '.repeat(200)}\n${text}`],
  ['a cut tail', (text: string) => text.slice(0, text.indexOf('xref\n0 1'))],
])('a file with %s is read all the same', (_, harm) => {
  const document = read(bytesOf(harm(textOf(pdfWithTable(bodiesWithPages(3))))))
  expect(pagesOf(document)).toHaveLength(3)
  expect(contentsOfPage(document, 2)).toContain('Page 3')
})

test('damaged cross-reference: the rebuilt document is marked as repaired', () => {
  const lying = textOf(pdfWithTable(bodiesWithPages(1))).replace(/startxref\n\d+/, 'startxref\n17')
  expect(read(bytesOf(lying))).toMatchObject({ isRepaired: true, isRebuilt: true })
})

test.each(['disable', 'generate'])('an encrypted file is said to be one (%s)', (objectStreams) => {
  const document = read(
    rewritten(
      pdfWithTable(bodiesWithPages(2)),
      `--object-streams=${objectStreams}`,
      ...'--encrypt user owner 256 --'.split(' '),
    ),
  )
  expect(document.isEncrypted).toBe(true)
  // Only what the file stores in the open can be read.
  if (objectStreams === 'disable') expect(pagesOf(document)).toHaveLength(2)
  else expect(() => pagesOf(document)).toThrow(expect.objectContaining({ code: 'encrypted' }))
})

test('a large file of streams costs little', () => {
  const bulk = Buffer.alloc(60 << 20, 0x41)
  const small = textOf(
    pdfWithTable({ ...bodiesWithPages(1), 20: '<</Length 62914560>>\nstream\nBULK\nendstream' }),
  )
  const [before, after] = small.split('BULK') as [string, string]
  const shift = bulk.length - 4
  const start = Number(/startxref\n(\d+)/.exec(after)![1])
  const tail = after.replace(/startxref\n\d+/, `startxref\n${start + shift}`)
  const whole = memorySource(
    Buffer.concat([Buffer.from(before, 'latin1'), bulk, Buffer.from(tail, 'latin1')]),
  )
  let looked = 0
  const counted = {
    length: whole.length,
    read(from: number, to: number) {
      looked += to - from
      return whole.read(from, to)
    },
  }
  expect(pagesOf(readDocument(counted))).toHaveLength(1)
  expect(looked).toBeLessThan(1 << 20)
})
