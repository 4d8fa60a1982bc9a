import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInlineStyles, type InlineStyles } from '#server/web/inline-styles.ts'

let folder: string
let inline: InlineStyles
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rubrica-styles-'))
  writeFileSync(path.join(folder, 'a.css'), `a{color:red}${'b{color:blue}'.repeat(10_000)}\n`)
  writeFileSync(path.join(folder, 'c.css'), 'c::before{content:"ñ"}')
  inline = createInlineStyles(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

const page = { head: '<title>Niño</title><style>', hrefs: ['/a.css', '/c.css'], tail: '</style>é' }
const whole = `<title>Niño</title><style>a{color:red}${'b{color:blue}'.repeat(10_000)}c::before{content:"ñ"}</style>é`

test.each([
  ['gzip, deflate, br, zstd', 'gzip'],
  ['br, gzip;q=0.5', 'gzip'],
  ['gzip;q=0, br', 'identity'],
  ['gzip; q=0.0', 'identity'],
  ['br', 'identity'],
  ['', 'identity'],
  [null, 'identity'],
])('a browser that accepts %j gets %s', (accepted, encoding) => {
  for (const _ of ['first', 'from memory']) {
    const body = inline(page, accepted)
    expect(body.encoding).toBe(encoding)
    const bytes = encoding === 'gzip' ? gunzipSync(body.bytes) : body.bytes
    expect(new TextDecoder().decode(bytes)).toBe(whole)
  }
})

test('a page that links its styles is compressed too', () => {
  const body = inline({ head: '<p>', hrefs: [], tail: 'é'.repeat(50_000) }, 'gzip')
  expect(gunzipSync(body.bytes).toString()).toBe(`<p>${'é'.repeat(50_000)}`)
  expect(body.bytes.length).toBeLessThan(1000)
})

test('empty pieces make a valid stream', () => {
  expect(gunzipSync(inline({ head: '', hrefs: [], tail: '' }, 'gzip').bytes)).toHaveLength(0)
})
