import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createPageWriter,
  type PageBody,
  type PageWriter,
  type UnstyledPage,
} from '#server/web/page-writer.ts'

let folder: string
let writer: PageWriter
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rubrica-styles-'))
  writeFileSync(path.join(folder, 'a.css'), `a{color:red}${'b{color:blue}'.repeat(10_000)}\n`)
  writeFileSync(path.join(folder, 'c.css'), 'c::before{content:"ñ"}')
  writer = createPageWriter(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

const unstyled = (head: string, hrefs: readonly string[], tail: string): UnstyledPage => ({
  head: Buffer.from(head),
  hrefs,
  tail: Buffer.from(tail),
})
const page = unstyled('<title>Niño</title><style>', ['/a.css', '/c.css'], '</style>é')
const whole = `<title>Niño</title><style>a{color:red}${'b{color:blue}'.repeat(10_000)}c::before{content:"ñ"}</style>é`

test.each([
  ['gzip, deflate, br, zstd', 'gzip'],
  ['br, gzip;q=0.5', 'gzip'],
  ['gzip;q=0, br', 'identity'],
  ['gzip; q=0.0', 'identity'],
  ['br', 'identity'],
  ['', 'identity'],
  [null, 'identity'],
])('a browser that accepts %j gets a page with its styles as %s', (accepted, encoding) => {
  for (const _ of ['first', 'from memory']) {
    const body = writer.write(page, accepted)
    expect(body.encoding).toBe(encoding)
    const bytes = encoding === 'gzip' ? gunzipSync(body.bytes) : body.bytes
    expect(new TextDecoder().decode(bytes)).toBe(whole)
  }
})

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['br;q=0.1', 'br', brotliDecompressSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
  ['gzip', 'gzip', gunzipSync],
  [null, 'identity', Buffer.from],
])(
  'a browser that accepts %j gets a page that links its styles as %s',
  (accepted, encoding, read) => {
    const text = 'é'.repeat(50_000)
    const body = writer.write(unstyled('<p>', [], text), accepted)
    expect(body.encoding).toBe(encoding)
    expect(read(body.bytes).toString()).toBe(`<p>${text}`)
    if (encoding !== 'identity') expect(body.bytes.length).toBeLessThan(1000)
  },
)

test('empty pieces make a valid stream', () => {
  expect(gunzipSync(writer.write(unstyled('', [], ''), 'gzip').bytes)).toHaveLength(0)
})

describe('a page for many', () => {
  const html = `${'<p>Niño</p>'.repeat(400)}<input value="TOKEN-1">`
  const page = unstyled('<style nonce="NONCE+1/">', ['/c.css'], `</style>${html}NONCE+1/`)
  const first = (madeOf: string) => ({ madeOf, own: ['NONCE+1/', 'TOKEN-1'] })
  const next = (madeOf: string) => ({ madeOf, own: ['NONCE+2/', 'TOKEN-2'] })
  const read = (body: PageBody | undefined) => body && gunzipSync(body.bytes).toString()
  const expected = (nonce: string, token: string) =>
    `<style nonce="${nonce}">c::before{content:"ñ"}</style>${html.replace('TOKEN-1', token)}${nonce}`

  test('has the texts of its answer, the first time and later', () => {
    expect(writer.writeAgain(next('a'), 'gzip')).toBeUndefined()
    const made = writer.writeForMany(first('a'), page, 'gzip')
    expect(read(made)).toBe(expected('NONCE+1/', 'TOKEN-1'))
    expect(read(writer.writeAgain(next('a'), 'gzip'))).toBe(expected('NONCE+2/', 'TOKEN-2'))
    const plain = writer.writeAgain(next('a'), null)?.bytes
    expect(new TextDecoder().decode(plain)).toBe(expected('NONCE+2/', 'TOKEN-2'))
  })

  test('is as small as one that is compressed whole, but for some bytes', () => {
    const { bytes } = writer.writeForMany(first('b'), page, 'gzip')
    const whole = gzipSync(expected('NONCE+1/', 'TOKEN-1'), { level: 9 })
    expect(bytes.length).toBeLessThan(whole.length + 60)
  })

  test('no text of an answer shows in another, however alike they are', () => {
    const own = ['AAAAAAAB', 'AAAAAAC']
    const tail = `${own[0]}AAAAAA ${own[1]} AAAAAAA${own[0]}`
    writer.writeForMany({ madeOf: 'c', own }, unstyled('', [], tail), 'gzip')
    const later = writer.writeAgain({ madeOf: 'c', own: ['zzzzzzzz', 'yyyyyyy'] }, 'gzip')
    expect(read(later)).toBe('zzzzzzzzAAAAAA yyyyyyy AAAAAAAzzzzzzzz')
  })

  test('page template: user text is never taken for a placeholder', () => {
    const own = ['NONCE+1/', 'TOKEN-1']
    const written = [4, 6, 40].map((length) => String.fromCharCode(0).repeat(length)).join('x')
    const tail = `<p>${own[0]}</p><p>${written}</p>${own[1]}<p>${written} ÿÿÿÿ</p>`
    writer.writeForMany({ madeOf: 'nul', own }, unstyled('', [], tail), 'gzip')
    const later = writer.writeAgain(next('nul'), 'gzip')
    expect(read(later)).toBe(tail.replace('NONCE+1/', 'NONCE+2/').replace('TOKEN-1', 'TOKEN-2'))
  })

  test('a text of another length is refused', () => {
    writer.writeForMany(first('d'), page, 'gzip')
    const longer = { madeOf: 'd', own: ['NONCE+1/', 'TOKEN-12'] }
    expect(() => writer.writeAgain(longer, 'gzip')).toThrow(RangeError)
  })

  test('page cache: evicts the least recently used page above the limit', () => {
    for (let index = 0; index < 64; index += 1) writer.writeForMany(first(`e${index}`), page, null)
    expect(writer.writeAgain(next('e0'), null)).toBeDefined()
    writer.writeForMany(first('one more'), page, null)
    expect(writer.writeAgain(next('e0'), null)).toBeDefined()
    expect(writer.writeAgain(next('e1'), null)).toBeUndefined()
  })
})
