import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { signDeed, signedDeed } from '#tests/attacks/sign-deed.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { appendTable, bytesOf, streamBody, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { type HandSigned, handSigned, sealOf, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/* Files in which one program shows the signed content and another program something else. */

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const signed = (options: Partial<HandSigned> = {}) =>
  handSigned({ seal: sealOf(efirma), ...options })
const OTHER_TEXT = streamBody('BT /F1 24 Tf 30 150 Td (Otra cosa) Tj ET')
const startOf = (file: Uint8Array) => /startxref\s+(\d+)\s+%%EOF\s*$/.exec(textOf(file))![1]!

const pageWith = (contents: string) =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>>>/Annots[20 0 R]${contents}>>`

test('a page with two contents: not VALID when either is changed later', async () => {
  const page = pageWith('/Contents 12 0 R/Contents 11 0 R')
  const twofold = await signed({ bodies: { 10: page, 12: OTHER_TEXT } })
  expect(await verified(twofold)).toMatchObject({ verdict: 'INDETERMINATE' })
  expect(await verified(appendTable(twofold, { 12: OTHER_TEXT }))).not.toMatchObject({
    verdict: 'VALID',
  })
})

test('a key that says the same thing twice is only clumsy', async () => {
  const clumsy = await signed({ bodies: { 10: pageWith('/Contents 11 0 R/Contents 11 0 R') } })
  expect(await verified(clumsy)).toMatchObject({ verdict: 'VALID' })
})

/** With a revision whose table names the own content of the page, and the stream beside it another. */
function withTwoTables(file: Uint8Array): Uint8Array {
  const text = textOf(file)
  const own = text.indexOf('\n11 0 obj') + 1
  const start = text.length
  let tail = `11 0 obj\n${OTHER_TEXT}\nendobj\n`
  const stream = start + tail.length
  const row = String.fromCharCode(1, start >> 16, (start >> 8) & 255, start & 255, 0)
  tail += `90 0 obj\n${streamBody(row, '/Type/XRef/W[1 3 1]/Index[11 1]/Size 99/Root 1 0 R')}\nendobj\n`
  const table = start + tail.length
  tail += `xref\n11 1\n${String(own).padStart(10, '0')} 00000 n \n`
  tail += `trailer\n<</Size 99/Root 1 0 R/Info 4 0 R/Prev ${startOf(file)}/XRefStm ${stream}>>\n`
  return bytesOf(`${text}${tail}startxref\n${table}\n%%EOF\n`)
}

test('a table and the stream beside it may not name two places for one object', async () => {
  const report = await verified(withTwoTables(await signed()))
  expect(report).toMatchObject({ verdict: 'INVALID', first: { modification: 'OTHER' } })
})

test('ambiguous file: its signature is never valid', async () => {
  const deed = await signedDeed()
  const { file } = await signDeed({ ...deed, file: withTwoTables(deed.file) }, { number: 60 })
  const { verdict, signatures } = await verified(file)
  expect(verdict).not.toBe('VALID')
  expect(signatures[0]).toMatchObject({ coverage: 'ENTIRE_REVISION', intact: true })
  expect(signatures[1]).toMatchObject({
    coverage: 'UNCLEAR',
    intact: true,
    valid: true,
    indication: 'INDETERMINATE',
    subIndication: 'SIG_CONSTRAINTS_FAILURE',
  })
  expect(codesOf(signatures[1]!.warnings)).toContain('signed-in-two-ways')
})

test('ambiguous file: two catalogs in one trailer are never valid', async () => {
  const deed = await signedDeed()
  const twofold = appendTable(deed.file, {}, { trailer: '/Root 99 0 R/Root 1 0 R' })
  const { file } = await signDeed({ ...deed, file: twofold }, { number: 60 })
  const { signatures } = await verified(file)
  expect(signatures.map(({ coverage }) => coverage)).toEqual(['ENTIRE_REVISION', 'UNCLEAR'])
})

test('a broken entry after a signature is never VALID, and INVALID where readers find another page', async () => {
  const revision = (before: string, more: string) => {
    const text = `${before}${more}`
    const table = `xref\n70 1\n0000000005 00000 n \ntrailer\n<</Size 99/Root 1 0 R/Info 4 0 R/Prev ${startOf(bytesOf(before))}>>\n`
    return bytesOf(`${text}${table}startxref\n${text.length}\n%%EOF\n`)
  }
  const file = textOf(await signed())
  expect(await verified(revision(file, ''))).toMatchObject({ verdict: 'INDETERMINATE' })
  const loose = `11 0 obj\n${OTHER_TEXT}\nendobj\n`
  expect(await verified(revision(file, loose))).toMatchObject({ verdict: 'INVALID' })
})

test('a catalog that a trailer names twice', async () => {
  const file = appendTable(await signed(), {}, { trailer: '/Root 99 0 R/Root 1 0 R' })
  expect(await verified(file)).toMatchObject({ verdict: 'INDETERMINATE' })
})

test('a table for each of two ways to count offsets', async () => {
  // The second table stands in a stream right before the first; the junk shifts one onto the other.
  const table = (rows: string) => `xref\n0 5\n${rows}trailer\n<</Size 99/Root 1 0 R>>\n`
  const row = (offset: number) => `${String(offset).padStart(10, '0')} 00000 n \n`
  const blank = table(row(0).repeat(5))
  const withStream = (data: string, junk = '') => signed({ bodies: { 22: streamBody(data) }, junk })
  const plain = textOf(await withStream(blank))
  const shift = Number(startOf(bytesOf(plain))) - plain.indexOf(blank)
  const places = [1, 2, 3, 4].map((number) => plain.indexOf(`\n${number} 0 obj`) + 1 + shift)
  const second = table(row(0) + places.map(row).join(''))
  const junk = 'a mail gateway '.padEnd(shift, '.')
  expect(await verified(await withStream(blank, junk))).toMatchObject({ verdict: 'VALID' })
  expect(await verified(await withStream(second, junk))).toMatchObject({ verdict: 'INDETERMINATE' })
})
