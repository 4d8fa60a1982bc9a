import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { sign } from '#server/cli/sign.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { parseInstant } from '#server/domain/time.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import { aSoftToken } from '#tests/support/keys/a-soft-token.ts'
import { type SoftTokenRequest, softHsmModule, TEST_PIN } from '#tests/support/keys/soft-tokens.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { aFolder, rubricaWith, said } from '#tests/support/processes/command-line.ts'

const plain = pdfWithTable(bodiesWithPages(1))
const orderOf = (...more: string[]) => [
  ...['--pkcs11', softHsmModule(), '--pin-env', 'RUBRICA_TEST_PIN', ...more],
  ...['--trust', 'ac', 'acta.pdf', '-o', 'firmada.pdf'],
]

async function signWith(request: SoftTokenRequest, args = orderOf(), pin = TEST_PIN) {
  aSoftToken(request)
  vi.stubEnv('RUBRICA_TEST_PIN', pin)
  const folder = await aFolder({ 'acta.pdf': plain })
  const run = await said(() => sign(args, folder, TEST_NOW))
  return { ...run, file: path.join(folder, 'firmada.pdf') }
}

test('a signature by a token passes pdfsig', async () => {
  const efirma = await testEfirma()
  const { status, errors, output, file } = await signWith({ objects: [{ efirma }] })
  expect([status, errors]).toEqual([0, []])
  expect(output.at(-1)).toBe('firmada.pdf: firmado por ANA MARÍA MUÑOZ LÓPEZ (RFC MULA800101AB1).')
  const { output: verdict } = judge('pdfsig')('-nocert', file)
  expect(verdict).toContain('Signature is Valid')
  expect(verdict).toContain('Total document signed')
})

test('the real process signs with the token of the name', async () => {
  const efirma = await testEfirma()
  const { configuration } = aSoftToken({ label: 'Notaría 12', objects: [{ efirma }] })
  const folder = await aFolder({ 'acta.pdf': plain })
  const environment = { SOFTHSM2_CONF: configuration, RUBRICA_TEST_PIN: TEST_PIN }
  const named = (name: string) =>
    rubricaWith(environment, folder, 'sign', ...orderOf('--token', name))
  expect(named('Notaría 12')).toMatchObject({ status: 0, errors: [] })
  expect(named('Otra')).toMatchObject({
    status: 1,
    errors: [expect.stringMatching(/ningún token conectado con ese nombre/)],
  })
})

test('two certificates: the one that is valid today signs', async () => {
  const dates = {
    notBefore: parseInstant('2018-01-01T00:00:00Z'),
    notAfter: parseInstant('2022-01-01T00:00:00Z'),
  }
  const expired = await testEfirma({ ...dates, keyPair: await newKeyPair() })
  const objects = [
    { efirma: expired, id: '01' },
    { efirma: await testEfirma(), id: '02' },
  ]
  expect(await signWith({ objects })).toMatchObject({ status: 0, errors: [] })
})

describe('refused, with the reason and nothing left behind', () => {
  test.each<[string, () => Promise<SoftTokenRequest>, string, RegExp]>([
    [
      'a wrong PIN',
      async () => ({ objects: [{ efirma: await testEfirma() }] }),
      '9999',
      /NIP no es correcto/,
    ],
    ['an empty token', async () => ({}), TEST_PIN, /no contiene un certificado/],
    [
      'a CSD',
      async () => ({ objects: [{ efirma: await testEfirma({ kind: 'csd', branch: 'Matriz' }) }] }),
      TEST_PIN,
      /sello digital/,
    ],
    [
      'no key',
      async () => ({ objects: [{ efirma: await testEfirma(), without: 'key' }] }),
      TEST_PIN,
      /pero no su clave privada/,
    ],
  ])('%s', async (_, request, pin, reason) => {
    const { status, output, errors, file } = await signWith(await request(), orderOf(), pin)
    expect([status, output, existsSync(file)]).toEqual([1, [], false])
    expect(errors).toEqual([expect.stringMatching(reason)])
    expect(errors.join()).not.toContain(pin)
  })
})

test.each<[string, string[], RegExp]>([
  ['a token beside files', ['--cer', 'ana.cer', ...orderOf()], /una sola clave/],
  ['the name of a token alone', ['--token', 'notaria', ...orderOf().slice(4)], /una sola clave/],
  ['no PIN', orderOf().filter((word) => !/pin/i.test(word)), /una sola clave/],
  [
    'an unset variable',
    orderOf().map((word) => word.replace('TEST_PIN', 'UNSET')),
    /RUBRICA_UNSET/,
  ],
])('wrong use: %s', async (_, args, reason) => {
  const { status, errors } = await signWith({}, args)
  expect([status, errors.at(-1)]).toEqual([2, expect.stringMatching(reason)])
})
