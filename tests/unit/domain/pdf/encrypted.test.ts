import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { rc4 } from '#server/domain/pdf/encryption/rc4.ts'
import { entriesOf, isStream, isString } from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { ENCRYPTIONS } from '#tests/support/office/waiting-signatures.ts'
import {
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'
import { mutool, onDisk, rewritten } from './variants.ts'

const read = (bytes: Uint8Array) => readDocument(memorySource(bytes))

// RFC 6229, section 2.
test.each([
  ['0102030405', 'b2396305f03dc027ccc3524a0a1118a8'],
  ['0102030405060708090a0b0c0d0e0f10', '9ac7cc9a609d1ef7b2932899cde41b97'],
])('RC4 under %s begins as the vectors say', (key, stream) => {
  const out = rc4(Buffer.from(key, 'hex'), new Uint8Array(16))
  expect(Buffer.from(out).toString('hex')).toBe(stream)
})

const XMP = '<x:xmpmeta xmlns:x="adobe:ns:meta/">datos</x:xmpmeta>'
const plain = () =>
  pdfWithTable({
    ...bodiesWithPages(2, '/Metadata 30 0 R'),
    30: streamBody(XMP, '/Type/Metadata/Subtype/XML'),
  })

function dataOf(document: ReturnType<typeof read>, value: Parameters<typeof document.resolve>[0]) {
  const stream = document.resolve(value)
  return isStream(stream) ? textOf(document.decoded(stream)) : undefined
}

const LAYOUTS = ['disable', 'generate'].flatMap((objects) =>
  Object.keys(ENCRYPTIONS).map((name) => [name, objects] as const),
)

test.each(LAYOUTS)('%s (object streams: %s) opens without a password', (name, objects) => {
  const file = rewritten(plain(), `--object-streams=${objects}`, ...ENCRYPTIONS[name]!)
  const document = read(file)
  expect([document.isEncrypted, document.isLocked, document.isRepaired]).toEqual([
    true,
    false,
    false,
  ])
  const pages = pagesOf(document)
  expect(pages).toHaveLength(2)
  expect(dataOf(document, pages[1]!.dictionary.entries.get('Contents'))).toContain('(Page 2)')
  expect(dataOf(document, document.catalog.entries.get('Metadata'))).toBe(XMP)
  const info = entriesOf(document.resolve(document.trailer.entries.get('Info')))
  const title = document.resolve(info.get('Title'))
  expect(isString(title) && textOf(title.bytes)).toBe('Escritura (una)')
})

test.each(['disable', 'generate'])(
  'a damaged encrypted file can be repaired (object streams: %s)',
  (objects) => {
    const file = rewritten(plain(), `--object-streams=${objects}`, ...ENCRYPTIONS['AES, 256 bits']!)
    const document = read(bytesOf(textOf(file).replace(/startxref\s+\d+/, 'startxref\n7')))
    expect([document.isRebuilt, document.isLocked]).toEqual([true, false])
    const pages = pagesOf(document)
    expect(dataOf(document, pages[1]!.dictionary.entries.get('Contents'))).toContain('(Page 2)')
  },
)

test('another program reads the same text', () => {
  const file = rewritten(plain(), ...ENCRYPTIONS['AES, 128 bits']!)
  expect(mutool('draw', '-F', 'txt', onDisk(file), '2').output).toContain('Page 2')
})

test.each([
  ['a password', ['--encrypt', 'user', 'owner', '256', '--']],
  [
    'a password of old',
    ['--allow-weak-crypto', '--encrypt', 'user', 'owner', '128', '--use-aes=n', '--'],
  ],
])('a file behind %s stays locked', (_, options) => {
  const document = read(rewritten(plain(), ...options))
  expect([document.isEncrypted, document.isLocked]).toEqual([true, true])
  const contents = pagesOf(document)[0]!.dictionary.entries.get('Contents')
  expect(() => dataOf(document, contents)).toThrow(expect.objectContaining({ code: 'encrypted' }))
})

test('a stream that says so is not encrypted', () => {
  const file = rewritten(plain(), ...ENCRYPTIONS['AES, 256 bits']!)
  const text = textOf(file).replace('/Filter /Standard', '/Filter /Standard')
  const identity = '/Filter[/Crypt]/DecodeParms[<</Name/Identity>>]'
  const start = Number(/startxref\s+(\d+)/.exec(text)![1])
  const trailer = /trailer\s*<<([\s\S]*?)>>\s*startxref/.exec(text)![1]!
  const object = `90 0 obj\n${streamBody('a la vista', identity)}\nendobj\n`
  const table = `xref\n90 1\n${String(text.length).padStart(10, '0')} 00000 n \n`
  const end = `trailer\n<<${trailer.replace(/\/Size \d+/, '/Size 91')}/Prev ${start}>>\nstartxref\n${text.length + object.length}\n%%EOF\n`
  const document = read(bytesOf(text + object + table + end))
  expect(dataOf(document, { kind: 'ref', number: 90, generation: 0 })).toBe('a la vista')
})

test.each(['a broken key', 'a filter of another vendor', 'an unknown version'])(
  '%s locks the file and breaks nothing',
  (harm) => {
    const text = textOf(rewritten(plain(), ...ENCRYPTIONS['AES, 256 bits']!))
    const harmed = {
      'a broken key': text.replace(/\/UE ?<[0-9a-f]{8}/, (found) => found.slice(0, -8)),
      'a filter of another vendor': text.replace('/Filter /Standard', '/Filter /Estandar'),
      'an unknown version': text.replace('/V 5', '/V 9'),
    }[harm]!
    expect(harmed).not.toBe(text)
    expect(read(bytesOf(harmed)).isLocked).toBe(true)
  },
)
