import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import {
  ENCRYPTIONS,
  sealedLater,
  waitingForSignature,
} from '#tests/support/office/waiting-signatures.ts'
import { bytesOf, streamBody, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { sealOf, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { onDisk, rewritten } from '#tests/unit/domain/pdf/variants.ts'

/* Encrypted files without a user password, signed after encryption. */

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const encrypted = (name: string, ...options: string[]) =>
  sealedLater(rewritten(waitingForSignature(), ...options, ...ENCRYPTIONS[name]!), sealOf(efirma))

test.each(Object.keys(ENCRYPTIONS))('%s: the signature is judged like any other', async (name) => {
  const file = await encrypted(name)
  expect(await verified(file)).toMatchObject({
    verdict: 'VALID',
    encrypted: true,
    pages: 1,
    first: { field: 'Firma1', intact: true, valid: true, coverage: 'ENTIRE_FILE' },
    warnings: [{ code: 'encrypted' }],
  })
  // The string of /M is encrypted, and is read.
  expect((await verified(file)).first.claimedTime).toBe('2026-11-20T15:00:00.000Z')
  expect(judge('pdfsig')('-nocert', onDisk(file)).output).toContain('Signature is Valid.')
  const harmed = textOf(file).replace(
    /stream\n(.)/,
    (_, first: string) => `stream\n${String.fromCharCode(first.charCodeAt(0) ^ 1)}`,
  )
  expect(await verified(bytesOf(harmed))).toMatchObject({ verdict: 'INVALID' })
})

test('strings of an object stream are encrypted with it, not twice', async () => {
  const file = await encrypted('AES, 256 bits', '--object-streams=generate')
  expect(await verified(file)).toMatchObject({
    verdict: 'VALID',
    first: { field: 'Firma1', intact: true },
  })
})

/** A revision in which the objects are as they are written, encryption included. */
function appended(file: Uint8Array, bodies: Record<number, string>, change = (t: string) => t) {
  const before = textOf(file)
  const prev = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(before)![1]
  const trailer = /trailer\s*<<([\s\S]*?)>>\s*startxref/.exec(before)![1]!
  let text = before
  let rows = ''
  for (const [number, body] of Object.entries(bodies)) {
    rows += `${number} 1\n${String(text.length).padStart(10, '0')} 00000 n \n`
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const entries = change(trailer).replace(/\/Size \d+/, '/Size 99')
  const end = `xref\n0 1\n0000000000 65535 f \n${rows}trailer\n<<${entries}/Prev ${prev}>>\n`
  return bytesOf(`${text}${end}startxref\n${text.length}\n%%EOF\n`)
}

const pageContent = (file: Uint8Array) => Number(/\/Contents (\d+) 0 R/.exec(textOf(file))![1])

test('a later revision that writes nothing new takes nothing away', async () => {
  const file = await encrypted('AES, 128 bits')
  expect(await verified(appended(file, { 90: 'null' }))).toMatchObject({ verdict: 'VALID' })
})

test('a page content that was replaced is found', async () => {
  const file = await encrypted('AES, 128 bits')
  const other = streamBody('x'.repeat(64))
  const report = await verified(appended(file, { [pageContent(file)]: other }))
  expect(report).toMatchObject({ verdict: 'INVALID', first: { modification: 'OTHER' } })
})

test.each([
  ['taken away', (trailer: string) => trailer.replace(/\/Encrypt \d+ 0 R/, '')],
  ['of another key', (trailer: string) => trailer.replace(/\/ID ?\[ ?<..../, '/ID [<0000')],
])('encryption %s later shows another document', async (_, change) => {
  const file = await encrypted('RC4, 128 bits')
  const changed = appended(file, { 90: 'null' }, change)
  expect(await verified(changed)).toMatchObject({
    verdict: 'INVALID',
    first: { modification: 'OTHER' },
  })
})

test('an encryption that was added later shows another document', async () => {
  const plain = await sealedLater(waitingForSignature(), sealOf(efirma))
  const lock = `<</Filter/Standard/V 1/R 2/O<${'00'.repeat(32)}>/U<${'00'.repeat(32)}>/P -4>>`
  const changed = appended(plain, { 90: lock }, (trailer) => `${trailer}/Encrypt 90 0 R`)
  expect((await verified(changed)).verdict).not.toBe('VALID')
})

test.each([
  ['the table of objects is empty', (text: string) => text.replace('/Size ', '/Sixe ')],
  ['rows of the table are read askew', (text: string) => text.replace('/Columns 4', '/Columns 2')],
  [
    'the key cannot be made',
    (text: string) => text.replace(/\/Encrypt (\d+) 0 R/, '/Encrypt 99 0 R'),
  ],
])('encrypted file: is never reported as unsigned if %s', async (_, harm) => {
  const text = textOf(await encrypted('AES, 128 bits', '--object-streams=generate'))
  const harmed = harm(text)
  expect(harmed).not.toBe(text)
  expect((await verified(bytesOf(harmed))).verdict).toMatch(/^IN/)
})
