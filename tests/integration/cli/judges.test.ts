import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { sign } from '#server/cli/sign.ts'
import { verify } from '#server/cli/verify.ts'
import { TEST_NOW, testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import { textOf } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'
import {
  aFolder,
  PASSWORD_VARIABLE,
  putEfirma,
  said,
} from '#tests/support/processes/command-line.ts'
import { mutool, qpdf, VARIANTS } from '#tests/unit/domain/pdf/variants.ts'

const pdfsig = judge('pdfsig')
const openssl = judge('openssl')

async function mustSign(folder: string, input: string, output: string, who = 'ana') {
  const key = [
    '--cer',
    `${who}.cer`,
    '--key',
    `${who}.key`,
    '--key-password-env',
    PASSWORD_VARIABLE,
  ]
  const run = await said(() =>
    sign([...key, '--trust', 'ac', input, '-o', output], folder, TEST_NOW),
  )
  expect(run).toMatchObject({ status: 0, errors: [] })
}

async function verdictOf(folder: string, file: string) {
  const { output } = await said(() => verify(['--json', '--trust', 'ac', file], folder, TEST_NOW))
  return JSON.parse(output[0]!)
}

/** The bytes that the last signature covers, and its CMS, cut out by nothing but the text of the file. */
function lastSignature(file: Uint8Array) {
  const text = textOf(file)
  const [start = 0, length = 0, tail = 0, tailLength = 0] = [
    ...text.matchAll(/\/ByteRange \[(\d+) (\d+) (\d+) (\d+)/g),
  ]
    .at(-1)!
    .slice(1)
    .map(Number)
  expect([start, tail + tailLength]).toEqual([0, file.length])
  const signed = text.slice(0, length) + text.slice(tail)
  return { signed, cms: text.slice(length + 1, tail - 1) }
}

async function mustPassOpenssl(folder: string, file: Uint8Array) {
  const { root, issuing } = await testAuthority()
  const { signed, cms } = lastSignature(file)
  const at = (name: string) => path.join(folder, name)
  writeFileSync(at('signed.bin'), signed, 'latin1')
  writeFileSync(at('cms.der'), Buffer.from(cms, 'hex'))
  const pem = [root, issuing].map(({ der }) => new X509Certificate(der).toString()).join('')
  writeFileSync(at('ca.pem'), pem)
  const said = openssl(
    ...['cms', '-verify', '-binary', '-inform', 'DER', '-in', at('cms.der')],
    ...['-content', at('signed.bin'), '-CAfile', at('ca.pem'), '-purpose', 'any'],
    ...['-cades', '-attime', String(TEST_NOW / 1000), '-out', at('out.bin')],
  )
  expect(said.errors).toContain('CAdES Verification successful')
}

const LAYOUTS = {
  ...VARIANTS,
  'a signature of another person': async () => handSigned({ seal: sealOf(await testEfirma()) }),
}

describe.each(Object.entries(LAYOUTS))('signed: %s', (_, make) => {
  test('every judge passes it', { timeout: 20_000 }, async () => {
    const folder = await aFolder({ 'acta.pdf': await make() })
    await mustSign(folder, 'acta.pdf', 'firmada.pdf')
    const place = path.join(folder, 'firmada.pdf')
    await mustPassOpenssl(folder, readFileSync(place))
    expect(qpdf('--check', place)).toMatchObject({ status: 0 })
    // Complaints about the unsigned file are no fault of the signature.
    const { errors } = mutool('info', path.join(folder, 'acta.pdf'))
    expect(mutool('info', place)).toMatchObject({ status: 0, errors })
    const { output } = pdfsig('-nocert', place)
    expect(output.split('Signature is Valid.')).toHaveLength(output.split('Signature #').length)
    expect(output).toContain('Total document signed')
    const report = await verdictOf(folder, 'firmada.pdf')
    expect(report.verdict).toBe('VALID')
    expect(report.signatures.at(-1).coverage).toBe('ENTIRE_FILE')
  })
})

test('a second signature keeps the first valid, for us and for others', async () => {
  const folder = await aFolder({ 'acta.pdf': VARIANTS['an object stream']!() })
  putEfirma(folder, 'luis', await testEfirma({ name: 'LUIS ÑÁÑEZ & HIJO', rfc: 'NAHL800101AB1' }))
  await mustSign(folder, 'acta.pdf', 'una.pdf')
  await mustSign(folder, 'una.pdf', 'dos.pdf', 'luis')
  const { output } = pdfsig('-nocert', path.join(folder, 'dos.pdf'))
  expect(output.match(/Signature is Valid\./g)).toHaveLength(2)
  const report = await verdictOf(folder, 'dos.pdf')
  expect(report).toMatchObject({
    verdict: 'VALID',
    signatures: [
      { field: 'Firma1', coverage: 'ENTIRE_REVISION', modification: 'FORM_FILLING' },
      { field: 'Firma2', coverage: 'ENTIRE_FILE', modification: 'NONE' },
    ],
  })
})

test('one flipped byte of the stored file is found', async () => {
  const folder = await aFolder({ 'acta.pdf': VARIANTS['a table']!() })
  await mustSign(folder, 'acta.pdf', 'firmada.pdf')
  const bytes = readFileSync(path.join(folder, 'firmada.pdf'))
  bytes[500]! ^= 4
  writeFileSync(path.join(folder, 'alterada.pdf'), bytes)
  expect((await verdictOf(folder, 'alterada.pdf')).verdict).toBe('INVALID')
  expect((await said(() => verify(['alterada.pdf'], folder))).status).toBe(1)
})
