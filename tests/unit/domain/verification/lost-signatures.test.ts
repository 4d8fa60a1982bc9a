import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import {
  appendTable,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf, verified, withTail } from '#tests/support/pdf/signed-pdfs.ts'

/* A file whose signature may have been lost must never be reported as unsigned. */

let efirma: Efirma
let signed: Uint8Array
beforeAll(async () => {
  efirma = await testEfirma()
  signed = await handSigned({ seal: sealOf(efirma) })
})

const plain = pdfWithTable(bodiesWithPages(2))
const LOST = {
  verdict: 'INDETERMINATE',
  headline: { code: 'damaged-maybe-signed' },
}

test('a signed file that was cut off, wherever', async () => {
  for (let length = 64; length < signed.length; length += 211) {
    const { verdict } = await verified(signed.subarray(0, length))
    expect(['INDETERMINATE', 'INVALID', 'NOT_A_PDF'], `${length}`).toContain(verdict)
  }
  expect(await verified(signed.subarray(0, 400))).toMatchObject(LOST)
})

test('a revision that was cut off after a whole document', async () => {
  const revision = appendTable(plain, { 30: `<</Type/Sig/Contents <${'30'.repeat(900)}>>>` })
  const cut = revision.subarray(0, plain.length + 700)
  expect(await verified(cut)).toMatchObject(LOST)
})

test.each([
  ['bytes after its end', withTail(plain, 'más bytes')],
  ['no cross-reference', bytesOf(textOf(plain).replace('xref\n0 1', 'xrxx\n0 1'))],
  ['no end', plain.subarray(0, plain.length - 60)],
  ['half an end', plain.subarray(0, plain.length - 3)],
])('a document with %s', async (_, file) => {
  expect(await verified(file)).toMatchObject({ ...LOST, pages: 2, signatures: [] })
})

test('an object that no cross-reference knows any more', async () => {
  const unlisted = textOf(signed).replace('\n21 1\n', '\n91 1\n')
  expect(await verified(bytesOf(unlisted))).toMatchObject(LOST)
})

test('signature dictionary inside a stream: is not a signature', async () => {
  const bodies = { ...bodiesWithPages(1), 40: streamBody(textOf(signed)) }
  expect(await verified(pdfWithTable(bodies))).toMatchObject({ verdict: 'NO_SIGNATURE' })
  const many = { ...bodiesWithPages(1), 40: streamBody('/ByteRange '.repeat(1000)) }
  expect(await verified(pdfWithTable(many))).toMatchObject(LOST)
})

test('a signature that its owner removed with a later revision', async () => {
  const form = '/AcroForm<</Fields[20 0 R]>>'
  const field = '<</FT/Sig/T(Firma1)/V 21 0 R>>'
  const signature = '<</Type/Sig/ByteRange[0 1 2 3]/Contents<3003020101>>>'
  const before = pdfWithTable({ ...bodiesWithPages(1, form), 20: field, 21: signature })
  const removed = appendTable(before, { 20: '<</FT/Sig/T(Firma1)>>', 21: 'null' })
  expect(await verified(removed)).toMatchObject({ verdict: 'NO_SIGNATURE' })
})

test.each([
  [
    'keeps to itself whether it was signed, where it hides its structure',
    ['--object-streams=generate'],
    'INDETERMINATE',
    'encrypted-maybe-signed',
  ],
  [
    'is unsigned, where its structure is plain and holds no signature',
    [],
    'NO_SIGNATURE',
    'no-signatures',
  ],
])('an encrypted file %s', async (_, options, verdict, code) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-encrypted-'))
  try {
    writeFileSync(path.join(folder, 'a.pdf'), plain)
    const lock = ['--encrypt', 'a', 'b', '256', '--']
    judge('qpdf')(...options, ...lock, `${folder}/a.pdf`, `${folder}/b.pdf`)
    const report = await verified(readFileSync(path.join(folder, 'b.pdf')))
    expect(report).toMatchObject({ verdict, headline: { code } })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
