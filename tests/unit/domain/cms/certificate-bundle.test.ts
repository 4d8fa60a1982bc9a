import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DemoAuthority } from '#server/demo/certification-authority.ts'
import { MOST_CERTIFICATES, readCertificateBundle } from '#server/domain/cms/certificate-bundle.ts'
import { testAuthority } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import { zipOf } from '#tests/support/zip.ts'

let authority: DemoAuthority
const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-bundle-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeAll(async () => {
  authority = await testAuthority()
})

const pem = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`
const bytes = (text: string) => new TextEncoder().encode(text)
async function namesIn(file: Uint8Array): Promise<string[]> {
  const { certificates } = await readCertificateBundle(file, 'autoridades')
  return certificates.map(({ name }) => name)
}

test('a single certificate, DER or PEM', async () => {
  const { root } = authority
  expect(await namesIn(root.der)).toEqual([root.name])
  expect(await namesIn(bytes(pem(root.der)))).toEqual([root.name])
})

test('several in one PEM, each once', async () => {
  const { root, issuing } = authority
  const both = pem(root.der) + pem(issuing.der) + pem(root.der)
  expect(await namesIn(bytes(both))).toEqual([root.name, issuing.name])
})

test('PKCS #7 as openssl packs it, DER and PEM', async () => {
  const { root, issuing } = authority
  const source = path.join(folder, 'both.pem')
  writeFileSync(source, pem(root.der) + pem(issuing.der))
  for (const form of ['DER', 'PEM']) {
    const target = path.join(folder, `both.${form}.p7b`)
    const run = judge('openssl')(
      'crl2pkcs7',
      '-nocrl',
      '-certfile',
      source,
      '-outform',
      form,
      '-out',
      target,
    )
    expect(run.status).toBe(0)
    const names = await namesIn(new Uint8Array(readFileSync(target)))
    expect(names.toSorted()).toEqual([root.name, issuing.name].toSorted())
  }
})

test('certificate bundle: an archive with folders, stored and deflated files, and a broken one', async () => {
  const { root, issuing } = authority
  const archive = zipOf([
    { name: 'Certificados/', bytes: new Uint8Array(), method: 'stored' },
    { name: 'Certificados/raíz.crt', bytes: root.der, method: 'stored' },
    { name: 'Certificados/AC.cer', bytes: bytes(pem(issuing.der)), method: 'deflated' },
    { name: 'léame.txt', bytes: bytes('nada'), method: 'deflated' },
    { name: 'roto.cer', bytes: root.der.subarray(0, 40), method: 'deflated' },
  ])
  const bundle = await readCertificateBundle(archive, 'Cert_Prod.zip')
  expect(bundle.certificates.map(({ name }) => name)).toEqual([root.name, issuing.name])
  expect(bundle.unreadable).toEqual(['roto.cer'])
})

/** Certificates that differ in their signatures. */
function variants(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => {
    const der = Uint8Array.from(authority.root.der)
    new DataView(der.buffer).setUint16(der.length - 2, index)
    return der
  })
}

test.each([
  [MOST_CERTIFICATES, false],
  [MOST_CERTIFICATES + 1, true],
])(
  'certificate bundle: of %d certificates the first 200 are read; cut: %s',
  async (count, isCut) => {
    const many = variants(count)
    const inPem = await readCertificateBundle(bytes(many.map(pem).join('')), 'autoridades.pem')
    const files = many.map((der, index) => ({ name: `${index}.cer`, bytes: der }))
    const archive = zipOf(files.map((file) => ({ ...file, method: 'stored' as const })))
    for (const read of [inPem, await readCertificateBundle(archive, 'autoridades.zip')]) {
      expect(read.certificates.map(({ der }) => der)).toEqual(many.slice(0, MOST_CERTIFICATES))
      expect(read).toMatchObject({ unreadable: [], isCut })
    }
  },
)

test('certificate bundle: one that comes 401 times may hide others', async () => {
  const again = pem(authority.root.der).repeat(401)
  const { certificates, isCut } = await readCertificateBundle(bytes(again), 'autoridades.pem')
  expect([certificates.length, isCut]).toEqual([1, true])
})

test('certificate bundle: a file that is none is reported', async () => {
  for (const file of [
    new Uint8Array(),
    bytes('hola'),
    bytes('PK\x03\x04 pero no es un archivo zip'),
  ])
    expect(await readCertificateBundle(file, 'x.zip')).toEqual({
      certificates: [],
      unreadable: ['x.zip'],
      isCut: false,
    })
})

test('certificate bundle: a cut or flipped archive is read or reported, never thrown', async () => {
  const archive = zipOf([{ name: 'a.cer', bytes: authority.root.der, method: 'deflated' }])
  for (let at = 0; at < archive.length; at++) {
    const flipped = archive.slice()
    flipped[at] = (flipped[at] ?? 0) ^ 0xff
    await readCertificateBundle(flipped, 'a.zip')
    await readCertificateBundle(archive.subarray(0, at), 'a.zip')
  }
})
