import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sign } from '#server/cli/sign.ts'
import { extension } from '#server/demo/certificate-minting.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { answerOcsp } from '#server/demo/ocsp-responder.ts'
import { mintOcspResponder } from '#server/demo/service-certificates.ts'
import { element, oid, sequence } from '#server/domain/asn1/der-writer.ts'
import { before, days, type Instant, parseInstant } from '#server/domain/time.ts'
import { SHADOW } from '#tests/attacks/shadow.ts'
import { TEST_NOW, testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import {
  appendTable,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
} from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'
import {
  aFolder,
  PASSWORD_VARIABLE,
  putEfirma,
  rubrica,
  said,
} from '#tests/support/processes/command-line.ts'

const plain = pdfWithTable(bodiesWithPages(2))
const KEY = ['--cer', 'ana.cer', '--key', 'ana.key', '--key-password-env', PASSWORD_VARIABLE]
const ORDER = [...KEY, '--trust', 'ac', 'acta.pdf', '-o', 'firmada.pdf']

const signIn = (folder: string, args = ORDER, now: Instant = TEST_NOW) =>
  said(() => sign(args, folder, now))

const leftIn = (folder: string) =>
  readdirSync(folder).filter((name) => name.includes('firmada') || name.endsWith('.tmp'))

test('the real process signs, and says who did', async () => {
  const folder = await aFolder({ 'acta.pdf': plain })
  expect(rubrica(folder, 'sign', ...ORDER)).toEqual({
    status: 0,
    output: [
      'No se pudo saber si su certificado fue revocado: ninguna autoridad respondió.',
      'firmada.pdf: firmado por ANA MARÍA MUÑOZ LÓPEZ (RFC MULA800101AB1).',
    ],
    errors: [],
  })
  const signed = readFileSync(path.join(folder, 'firmada.pdf'))
  expect(signed.subarray(0, plain.length).equals(plain)).toBe(true)
  expect(leftIn(folder)).toEqual(['firmada.pdf'])
})

test('an older file of that name is replaced, and permissions stay those of the input', async () => {
  const folder = await aFolder({ 'acta.pdf': plain, 'firmada.pdf': bytesOf('de ayer') })
  const { chmodSync } = await import('node:fs')
  chmodSync(path.join(folder, 'acta.pdf'), 0o440)
  expect((await signIn(folder)).status).toBe(0)
  const { mode, size } = statSync(path.join(folder, 'firmada.pdf'))
  expect(mode & 0o777).toBe(0o640)
  expect(size).toBeGreaterThan(plain.length)
})

test('the input is never overwritten, by whatever path the output names it', async () => {
  const folder = await aFolder({ 'acta.pdf': plain })
  const { symlinkSync } = await import('node:fs')
  symlinkSync(folder, path.join(folder, 'otra'), 'junction')
  const order = ORDER.with(-1, 'otra/acta.pdf')
  const { status, errors } = await signIn(folder, order)
  expect([status, errors.join()]).toEqual([2, expect.stringMatching(/otro archivo/)])
  expect(readFileSync(path.join(folder, 'acta.pdf')).equals(plain)).toBe(true)
})

describe('refused, with the reason and nothing left behind', () => {
  const encrypted = async (user = 'a') => {
    const folder = await aFolder({ 'acta.pdf': plain })
    judge('qpdf')(
      '--encrypt',
      user,
      'b',
      '256',
      '--',
      `${folder}/acta.pdf`,
      `${folder}/cifrada.pdf`,
    )
    return readFileSync(path.join(folder, 'cifrada.pdf'))
  }
  const certified = async () =>
    appendTable(pdfWithTable(bodiesWithPages(1, '/Perms<</DocMDP 30 0 R>>')), {
      30: '<</Type/Sig/Reference[<</TransformMethod/DocMDP/TransformParams<</P 1>>>>]>>',
    })
  const certifiedByAField = async () =>
    await handSigned({
      seal: sealOf(await testEfirma()),
      entries: '/Reference[<</TransformMethod/DocMDP/TransformParams<</P 1>>>>]',
    })

  test.each<[string, () => Uint8Array | Promise<Uint8Array>, RegExp]>([
    ['a text', () => bytesOf('Escritura'), /^El archivo no es un PDF\.$/],
    ['an empty file', () => bytesOf(''), /^El archivo no es un PDF\.$/],
    ['a file cut off', () => plain.subarray(0, plain.length / 2), /dañado/],
    ['an encrypted file', () => encrypted(), /protegido con contraseña/],
    ["a file with an owner's password", () => encrypted(''), /protegido contra cambios.*copia sin/],
    ['a certified file', certified, /certificado y no admite más firmas/],
    ['a file that a field certifies', certifiedByAField, /certificado y no admite más firmas/],
  ])('%s', async (_, content, reason) => {
    const folder = await aFolder({ 'acta.pdf': await content(), 'firmada.pdf': bytesOf('de ayer') })
    const { status, output, errors } = await signIn(folder)
    expect([status, output]).toEqual([1, []])
    expect(errors.join('\n')).toMatch(reason)
    expect(leftIn(folder)).toEqual(['firmada.pdf'])
    expect(readFileSync(path.join(folder, 'firmada.pdf'), 'utf8')).toBe('de ayer')
  })

  test('verify: trusts no authority without --trust', async () => {
    const folder = await aFolder({ 'acta.pdf': plain })
    const { status, errors } = await signIn(folder, [...KEY, 'acta.pdf', '-o', 'firmada.pdf'])
    expect([status, errors.length, leftIn(folder)]).toEqual([1, 1, []])
    expect(errors[0]).toMatch(/autoridad/)
  })

  test('expired, not yet valid, someone else’s key, a CSD, a wrong password', async () => {
    const folder = await aFolder({ 'acta.pdf': plain })
    putEfirma(folder, 'otro', await testEfirma({ keyPair: await newKeyPair() }))
    putEfirma(folder, 'csd', await testEfirma({ kind: 'csd', branch: 'Matriz' }))
    const swapped = ORDER.map((word) => (word === 'ana.key' ? 'otro.key' : word))
    const csd = ORDER.map((word) => word.replace('ana.', 'csd.'))
    const cases: [string[], Instant, RegExp][] = [
      [ORDER, parseInstant('2031-01-01'), /venci/],
      [ORDER, parseInstant('2024-01-01'), /./],
      [swapped, TEST_NOW, /./],
      [csd, TEST_NOW, /sello digital/],
    ]
    for (const [args, now, reason] of cases) {
      const { status, errors } = await signIn(folder, args, now)
      expect([status, errors.length]).toEqual([1, 1])
      expect(errors[0]).toMatch(reason)
    }
    vi.stubEnv('RUBRICA_WRONG_PASSWORD', 'otra')
    const wrong = ORDER.map((word) =>
      word === PASSWORD_VARIABLE ? 'RUBRICA_WRONG_PASSWORD' : word,
    )
    expect(await signIn(folder, wrong)).toMatchObject({ status: 1 })
    expect(leftIn(folder)).toEqual([])
  })
})

describe('wrong use', () => {
  const without = (word: string) => ORDER.filter((one) => one !== word)
  const instead = (word: string, other: string) => ORDER.map((one) => (one === word ? other : one))

  test.each<[string, string[], RegExp]>([
    ['nothing', [], /Faltan datos/],
    ['no output', ORDER.slice(0, -2), /Faltan datos/],
    ['two inputs', [...ORDER, 'otra.pdf'], /sobran/],
    ['an unknown option', [...ORDER, '--rapido'], /no tiene la opción --rapido/],
    ['an option without its value', without('ana.cer'), /./],
    ['a missing input', instead('acta.pdf', 'no.pdf'), /No se puede leer no\.pdf/],
    ['a folder as input', instead('acta.pdf', 'ac'), /No se puede leer ac/],
    ['a missing certificate', instead('ana.cer', 'no.cer'), /No se puede leer no\.cer/],
    ['a folder as key', instead('ana.key', 'ac'), /No se puede leer ac/],
    ['an unset variable', instead(PASSWORD_VARIABLE, 'RUBRICA_UNSET'), /variable RUBRICA_UNSET/],
    ['no trust folder', instead('ac', 'nadie'), /En nadie no hay ninguna autoridad/],
    ['a trust folder with something else', instead('ac', 'raro'), /no es un certificado/],
    ['the same file', instead('firmada.pdf', './acta.pdf'), /otro archivo/],
    [
      'a folder that is not there',
      instead('firmada.pdf', 'no/firmada.pdf'),
      /No se puede escribir/,
    ],
    ['a folder as output', instead('firmada.pdf', 'ac'), /No se puede escribir ac/],
  ])('%s', async (_, args, reason) => {
    const folder = await aFolder({ 'acta.pdf': plain })
    mkdirSync(path.join(folder, 'raro'))
    writeFileSync(path.join(folder, 'raro/nota.cer'), 'no soy un certificado')
    const { status, output, errors } = await signIn(folder, args)
    expect([status, output]).toEqual([2, []])
    expect(errors.join('\n')).toMatch(reason)
    expect(leftIn(folder)).toEqual([])
    expect(existsSync(path.join(folder, 'firmada.pdf'))).toBe(false)
  })

  test('the real process shows the use and exits with 2', async () => {
    const folder = await aFolder()
    const { status, errors } = rubrica(folder, 'firmar')
    expect(status).toBe(2)
    expect(errors[0]).toBe('No existe el comando “firmar”.')
    expect(errors[1]).toBe('Uso:')
    expect(errors.join('\n')).toContain('rubrica verify')
  })

  test('a known command shows only its own use', async () => {
    const { status, errors } = rubrica(await aFolder(), 'sign', 'no-hay.pdf')
    expect([status, errors[0], errors[1]]).toEqual([
      2,
      'Faltan datos para firmar, o sobran.',
      'Uso:',
    ])
    const lines = errors.slice(2)
    expect(lines).toHaveLength(5)
    expect(lines[3]).toContain('… con sellos de tiempo:')
    expect(lines.at(-1)).toBe('  rubrica help sign')
  })
})

describe('a file that arrives signed or with unseen content', () => {
  const changed = async () => (await SHADOW[0]!.attacks[0]!.make()) as Uint8Array

  test('changed after signing: refused with its verdict, signed with --acknowledge', async () => {
    const folder = await aFolder({ 'acta.pdf': await changed() })
    const refused = await signIn(folder)
    expect(refused).toMatchObject({
      status: 1,
      output: [],
      errors: [expect.stringMatching(/^acta\.pdf: .*\[No válido\]\n.*agregue --acknowledge/s)],
    })
    expect(leftIn(folder)).toEqual([])
    expect((await signIn(folder, [...ORDER, '--acknowledge'])).status).toBe(0)
    expect(leftIn(folder)).toEqual(['firmada.pdf'])
  })

  test('with a good signature: says the verdict and signs', async () => {
    const folder = await aFolder({
      'acta.pdf': await handSigned({ seal: sealOf(await testEfirma()) }),
    })
    const { status, output } = await signIn(folder)
    expect([status, output[0]]).toEqual([0, expect.stringMatching(/\[Válido\]$/)])
  })

  test('with a script: names it and asks for --acknowledge', async () => {
    const script = pdfWithTable(bodiesWithPages(1, '/OpenAction<</S/JavaScript/JS(x)>>'))
    const folder = await aFolder({ 'acta.pdf': script })
    const { status, errors } = await signIn(folder)
    expect([status, errors.join()]).toEqual([1, expect.stringMatching(/^acta\.pdf: JavaScript: /)])
  })

  test('with a dynamic XFA form: refused whatever is acknowledged', async () => {
    const form = pdfWithTable(
      bodiesWithPages(1, '/NeedsRendering true/AcroForm<</Fields[]/XFA[(config) 4 0 R]>>'),
    )
    const folder = await aFolder({ 'acta.pdf': form })
    const { status, errors } = await signIn(folder, [...ORDER, '--acknowledge'])
    expect([status, errors.join()]).toEqual([1, expect.stringMatching(/XFA dinámico/)])
    expect(leftIn(folder)).toEqual([])
  })
})

const ocspAt = (port: number) =>
  extension(
    '1.3.6.1.5.5.7.1.1',
    sequence(
      sequence(
        oid('1.3.6.1.5.5.7.48.1'),
        element(0x86, Buffer.from(`http://127.0.0.1:${port}/`, 'latin1')),
      ),
    ),
  )

describe('revocation of the signer', () => {
  async function scene() {
    const authority = await testAuthority()
    const past = before(TEST_NOW, days(2))
    const responder = await mintOcspResponder(authority, past)
    const revoked = new Map<string, { at: Instant; reason: number }>()
    const asked = { times: 0 }
    const server = createServer(async (request, response) => {
      asked.times += 1
      const body = Buffer.concat(await Array.fromAsync(request))
      const answer = answerOcsp(body, { issuer: authority.issuing, responder, revoked }, TEST_NOW)
      response.writeHead(200, { 'Content-Type': 'application/ocsp-response' }).end(answer)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const efirma = await testEfirma({ extensions: [ocspAt(port)] })
    const folder = await aFolder({ 'acta.pdf': plain })
    putEfirma(folder, 'ana', efirma)
    const run = (...more: string[]) => signIn(folder, [...ORDER, ...more])
    const revoke = () => revoked.set(efirma.certificate.serial, { at: past, reason: 1 })
    return { folder, asked, run, revoke }
  }

  test('a good certificate signs, a revoked one is refused with the day', async () => {
    const { folder, asked, run, revoke } = await scene()
    expect(await run()).toMatchObject({ status: 0, output: [expect.stringMatching(/firmado por/)] })
    expect(asked.times).toBe(1)
    rmSync(path.join(folder, 'firmada.pdf'))
    revoke()
    expect(await run()).toMatchObject({
      status: 1,
      errors: [expect.stringMatching(/^Su certificado fue revocado el 18 nov 2026/)],
    })
    expect(leftIn(folder)).toEqual([])
  })

  test('--offline asks nothing and says so', async () => {
    const { asked, run, revoke } = await scene()
    revoke()
    expect(await run('--offline')).toMatchObject({
      status: 0,
      output: [
        'No se preguntó si su certificado fue revocado, por --offline.',
        expect.stringMatching(/firmado por/),
      ],
    })
    expect(asked.times).toBe(0)
  })
})
