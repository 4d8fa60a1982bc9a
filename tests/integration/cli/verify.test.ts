import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { verify } from '#server/cli/verify.ts'
import { answerOcsp } from '#server/demo/ocsp-responder.ts'
import { mintOcspResponder } from '#server/demo/service-certificates.ts'
import { before, days, type Instant } from '#server/domain/time.ts'
import { appendRevision } from '#tests/attacks/revision.ts'
import {
  aPrivateAuthority,
  certificateUnder,
} from '#tests/support/authorities/private-authority.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import {
  responseWith,
  stampingAuthority,
  stampOver,
} from '#tests/support/authorities/time-stamps.ts'
import {
  appendTable,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'
import { aFolder, rubrica, said } from '#tests/support/processes/command-line.ts'

let good: Uint8Array
let altered: Uint8Array
beforeAll(async () => {
  good = await handSigned({ seal: sealOf(await testEfirma()) })
  altered = good.slice()
  altered[60]! ^= 1
})
const plain = pdfWithTable(bodiesWithPages(1))
const TRUST = ['--trust', 'ac']
const verifyIn = (folder: string, ...args: string[]) => said(() => verify(args, folder, TEST_NOW))
const read = (lines: string[]) => lines.map((line) => JSON.parse(line))

test('the real process: one object a line, in the order asked, named as they were asked for', async () => {
  const folder = await aFolder({ 'b.pdf': good, 'a.pdf': altered, 'c.txt': bytesOf('hola') })
  const at = ['--at', '2026-11-20T15:00:00Z']
  const run = rubrica(
    folder,
    'verify',
    '--json',
    ...TRUST,
    ...at,
    'b.pdf',
    './a.pdf',
    'c.txt',
    'b.pdf',
  )
  expect([run.status, run.errors]).toEqual([1, []])
  expect(read(run.output).map(({ file, verdict }) => [file, verdict])).toEqual([
    ['b.pdf', 'VALID'],
    ['./a.pdf', 'INVALID'],
    ['c.txt', 'NOT_A_PDF'],
    ['b.pdf', 'VALID'],
  ])
})

test('0 when all are VALID', async () => {
  const folder = await aFolder({ 'a.pdf': good })
  expect((await verifyIn(folder, ...TRUST, 'a.pdf', path.join(folder, 'a.pdf'))).status).toBe(0)
})

test.each<[string, () => Uint8Array, string]>([
  ['without trust anchors', () => good, 'INDETERMINATE'],
  ['no signature', () => plain, 'NO_SIGNATURE'],
  ['empty', () => new Uint8Array(), 'NOT_A_PDF'],
  ['cut off', () => good.subarray(0, good.length - 700), 'INDETERMINATE'],
])('1 otherwise: %s', async (_, content, verdict) => {
  const folder = await aFolder({ 'a.pdf': content() })
  const { status, output } = await verifyIn(folder, '--json', 'a.pdf')
  expect([status, read(output)[0].verdict]).toEqual([1, verdict])
})

test('a file that is not there hides nothing about the others', async () => {
  const folder = await aFolder({ 'a.pdf': good })
  const { status, output, errors } = await verifyIn(
    folder,
    '--json',
    ...TRUST,
    'no.pdf',
    'ac',
    'a.pdf',
  )
  expect(status).toBe(2)
  expect(errors).toEqual(['No se puede leer no.pdf.', 'No se puede leer ac.'])
  expect(read(output).map(({ file, verdict }) => [file, verdict])).toEqual([['a.pdf', 'VALID']])
})

test.each<[string[], RegExp]>([
  [[], /Falta el archivo/],
  [['--todo', 'a.pdf'], /no tiene la opción --todo/],
  [['--at', 'ayer', 'a.pdf'], /--at espera una fecha/],
  [['--trust', 'nadie', 'a.pdf'], /ninguna autoridad/],
])('wrong use: %s', async (args, reason) => {
  const folder = await aFolder({ 'a.pdf': good })
  const { status, output, errors } = await verifyIn(folder, ...args)
  expect([status, output]).toEqual([2, []])
  expect(errors[0]).toMatch(reason)
})

test('for people: a sentence first, and nothing that steers their terminal', async () => {
  const rogue = await testEfirma({ name: 'ANA \u001b[2JLÓPEZ' })
  const folder = await aFolder({ 'a.pdf': await handSigned({ seal: sealOf(rogue) }) })
  const { output } = await verifyIn(folder, ...TRUST, 'a.pdf')
  expect(output[0]!.split('\n').slice(0, 4)).toEqual([
    'a.pdf: Documento íntegro y firmado. [Válido]',
    '  Informe de prueba: la autoridad es de demostración o de pruebas; lo firmado no tiene validez.',
    expect.stringMatching(/^ {2}SHA-256 [0-9a-f]{64}$/),
    '  “Firma1”: ANA [2JLÓPEZ, RFC MULA800101AB1, 20 nov 2026, 09:00 (hora del centro) (de prueba)',
  ])
})

test('for people: an altered file is described in Spanish, without codes', async () => {
  const changed = appendTable(good, { 11: streamBody('BT (Otra cosa) Tj ET') })
  const folder = await aFolder({ 'a.pdf': changed })
  const { output } = await verifyIn(folder, '--offline', ...TRUST, 'a.pdf')
  expect(output[0]).toContain('El documento fue modificado después de firmarse. [No válido]')
  expect(output[0]).toContain('cubre: todo el documento como estaba al firmarse')
  expect(output[0]).toContain('cambios después de firmar: se cambió el documento')
  expect(output[0]).not.toMatch(/[A-Z]{3,}_[A-Z]+|OTHER|NONE|INVALID|[a-z]+-[a-z]+-[a-z]+/)
})

test('JSON: each code stands with its parameters and its sentence', async () => {
  const changed = appendTable(good, { 11: streamBody('BT (Otra cosa) Tj ET') })
  const folder = await aFolder({ 'a.pdf': changed })
  const { output } = await verifyIn(folder, '--json', '--offline', ...TRUST, 'a.pdf')
  const [report] = read(output)
  expect(report).toMatchObject({
    verdict: 'INVALID',
    code: 'modified-after-signing',
    parameters: {},
    sentence: 'El documento fue modificado después de firmarse.',
  })
  const [signature] = report.signatures
  expect(signature.changes).toMatchObject([
    {
      code: 'page-content-replaced',
      parameters: { page: 1 },
      sentence: 'Se cambió el contenido de la página 1.',
    },
  ])
  expect(signature.warnings[0]).toEqual({
    code: 'modified-after-signature',
    parameters: {},
    sentence: 'El documento fue modificado después de esta firma.',
  })
})

test('the demonstration authority stays one under --trust', async () => {
  const folder = await aFolder({ 'a.pdf': good })
  const { output } = await verifyIn(folder, '--json', ...TRUST, 'a.pdf')
  expect(read(output)[0].signatures[0]).toMatchObject({ trusted: true, forTesting: true })
})

test('a bundle of authorities in one file is read to its end', async () => {
  const folder = await aFolder({ 'a.pdf': good })
  const { X509Certificate } = await import('node:crypto')
  const { testAuthority } = await import('#tests/support/authorities/test-authority.ts')
  const { root, issuing } = await testAuthority()
  const pem = [issuing, root].map(({ der }) => new X509Certificate(der).toString()).join('')
  writeFileSync(path.join(folder, 'todas.pem'), pem)
  expect((await verifyIn(folder, '--trust', 'todas.pem', 'a.pdf')).status).toBe(0)
})

describe('a constancia beside the file', () => {
  const stampFor = async (bytes: Uint8Array) =>
    stampOver(bytes, { by: await stampingAuthority(), time: TEST_NOW })

  test('is judged with it', async () => {
    const folder = await aFolder({ 'a.pdf': good, 'a.tsr': responseWith(0, await stampFor(good)) })
    const asked = [...TRUST, '--constancia', 'a.tsr', 'a.pdf']
    const { status, output } = await verifyIn(folder, '--json', ...asked)
    expect([status, read(output)[0].constancia]).toMatchObject([
      0,
      { kind: 'timestamp', verdict: 'VALID' },
    ])
    const recorded = await verifyIn(folder, ...asked)
    expect(recorded.output[0]).toMatch(/prueba que el archivo existía en su fecha/)
  })

  test('of another file: exits with 1', async () => {
    const folder = await aFolder({ 'a.pdf': good, 'a.tsr': await stampFor(altered) })
    const { status, output } = await verifyIn(
      folder,
      '--json',
      ...TRUST,
      '--constancia',
      'a.tsr',
      'a.pdf',
    )
    expect([status, read(output)[0]]).toMatchObject([
      1,
      { verdict: 'VALID', constancia: { verdict: 'INVALID', matches: false } },
    ])
  })

  test('of an earlier revision: exits with 1', async () => {
    const grown = appendRevision(good, { 90: '<< >>' })
    const folder = await aFolder({ 'a.pdf': grown, 'a.tsr': await stampFor(good) })
    const asked = [...TRUST, '--constancia', 'a.tsr', 'a.pdf']
    const { status, output } = await verifyIn(folder, '--json', ...asked)
    expect([status, read(output)[0]]).toMatchObject([
      1,
      {
        verdict: 'VALID',
        constancia: {
          verdict: 'EARLIER_REVISION',
          matches: false,
          revisionBytes: good.length,
        },
      },
    ])
    const recorded = await verifyIn(folder, ...asked)
    expect(recorded.output[0]).toMatch(
      /\[De una versión anterior\]\n.*nada prueba de lo que se agregó después/,
    )
  })

  test.each([
    [['--constancia', 'no.tsr', 'a.pdf'], 'No se puede leer no.tsr.'],
    [['--constancia', 'a.pdf', 'a.pdf', 'a.pdf'], '--constancia es de un solo archivo.'],
  ])('wrong use: %s', async (args, reason) => {
    const folder = await aFolder({ 'a.pdf': good })
    expect(await verifyIn(folder, ...args)).toMatchObject({ status: 2, errors: [reason] })
  })
})

test('verify: asks authorities, except with --offline', async () => {
  const root = await aPrivateAuthority('Autoridad del Estado')
  const both = {
    root: root.certificate,
    rootKey: root.key,
    issuing: root.certificate,
    issuingKey: root.key,
  }
  const responder = await mintOcspResponder(both, before(TEST_NOW, days(30)))
  const revoked = new Map<string, { at: Instant; reason: number }>()
  let asked = 0
  const server = createServer(async (request, response) => {
    asked += 1
    const body = Buffer.concat(await Array.fromAsync(request))
    const answer = answerOcsp(body, { issuer: root.certificate, responder, revoked }, TEST_NOW)
    response.writeHead(200, { 'Content-Type': 'application/ocsp-response' }).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const signer = await certificateUnder(root, { ocsp: [`http://127.0.0.1:${port}/`] })
  const seal = sealOf({
    ...(await testEfirma()),
    certificate: signer.certificate,
    keyPair: signer.key,
    cer: signer.certificate.der,
  })
  const folder = await aFolder({
    'a.pdf': await handSigned({ seal }),
    'raiz.cer': root.certificate.der,
  })
  const judged = (...more: string[]) => verifyIn(folder, '--trust', 'raiz.cer', ...more, 'a.pdf')
  const about = async (...more: string[]) => read((await judged('--json', ...more)).output)[0]
  expect((await about()).signatures[0].revocation).toMatchObject({ status: 'good', source: 'ocsp' })
  expect((await judged()).output[0]).toMatch(
    /nivel básico \(B-B\)\n {4}cambios después de firmar: ninguno\n {4}hora probada: ninguna\n {4}revocación: el certificado no había sido revocado, según la respuesta OCSP de la autoridad del 20 nov 2026/,
  )
  expect(asked).toBe(2)
  expect((await about('--offline')).signatures[0].revocation.status).toBe('unknown')
  expect(asked).toBe(2)
  revoked.set(signer.certificate.serial, { at: before(TEST_NOW, days(2)), reason: 1 })
  expect(await about()).toMatchObject({
    verdict: 'INDETERMINATE',
    signatures: [{ subIndication: 'REVOKED_NO_POE' }],
  })
})
