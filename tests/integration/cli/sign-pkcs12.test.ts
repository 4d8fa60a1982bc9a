import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { sign } from '#server/cli/sign.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { parseInstant } from '#server/domain/time.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import { pkcs12Of } from '#tests/support/keys/pkcs12-files.ts'
import { bodiesWithPages, bytesOf, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { aFolder, PASSWORD_VARIABLE, said } from '#tests/support/processes/command-line.ts'

const plain = pdfWithTable(bodiesWithPages(1))
const ORDER = [
  ...['--p12', 'ana.p12', '--p12-password-env', PASSWORD_VARIABLE],
  ...['--trust', 'ac', 'acta.pdf', '-o', 'firmada.pdf'],
]

const signWith = async (p12: Uint8Array, args = ORDER) => {
  const folder = await aFolder({ 'acta.pdf': plain, 'ana.p12': p12 })
  const run = await said(() => sign(args, folder, TEST_NOW))
  return { ...run, file: path.join(folder, 'firmada.pdf') }
}

test('a signature by a PKCS#12 file passes pdfsig', async () => {
  const { status, errors, file } = await signWith(pkcs12Of([await testEfirma()]))
  expect([status, errors]).toEqual([0, []])
  const { output } = judge('pdfsig')('-nocert', file)
  expect(output).toContain('Signature is Valid')
  expect(output).toContain('Total document signed')
})

test('the certificate that expired is passed over for the one that renewed it', async () => {
  const notBefore = parseInstant('2020-01-01T00:00:00Z')
  const expired = await testEfirma({ notBefore, notAfter: parseInstant('2024-01-01T00:00:00Z') })
  const renewed = await testEfirma()
  const { status, output } = await signWith(pkcs12Of([expired, renewed]))
  expect([status, output.join()]).toEqual([0, expect.stringContaining('MULA800101AB1')])
})

describe('refused, with the reason and nothing left behind', () => {
  const own = async () => pkcs12Of([await testEfirma()])
  test.each<[string, () => Uint8Array | Promise<Uint8Array>, RegExp]>([
    ['not a PKCS#12', () => bytesOf('hola'), /no es un PKCS#12/],
    ['a .cer', async () => (await testEfirma()).cer, /no es un PKCS#12/],
    ['no key in it', async () => pkcs12Of([await testEfirma()], ['-nokeys']), /no contiene/],
    [
      'a CSD',
      async () => pkcs12Of([await testEfirma({ kind: 'csd', branch: 'Matriz' })]),
      /sello digital/,
    ],
  ])('%s', async (_, p12, reason) => {
    const { status, output, errors, file } = await signWith(await p12())
    expect([status, output, errors.length, existsSync(file)]).toEqual([1, [], 1, false])
    expect(errors[0]).toMatch(reason)
  })

  test('a wrong password', async () => {
    vi.stubEnv('RUBRICA_WRONG_PASSWORD', 'otra')
    const args = ORDER.map((word) => (word === PASSWORD_VARIABLE ? 'RUBRICA_WRONG_PASSWORD' : word))
    const { status, errors } = await signWith(await own(), args)
    expect([status, errors]).toEqual([1, [expect.stringMatching(/contraseña no corresponde/)]])
  })
})

test.each<[string, string[]]>([
  ['two keys at once', ['--cer', 'ana.cer', ...ORDER]],
  ['a file without its password', ORDER.filter((_, at) => at !== 2 && at !== 3)],
  ['a password without its file', ORDER.slice(2)],
])('wrong use: %s', async (_, args) => {
  const { status, errors } = await signWith(
    pkcs12Of([await testEfirma({ keyPair: await newKeyPair() })]),
    args,
  )
  expect([status, errors.at(-1)]).toEqual([2, expect.stringContaining('una sola clave')])
})
