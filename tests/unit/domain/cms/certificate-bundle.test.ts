import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DemoAuthority } from '#server/demo/certification-authority.ts'
import { readCertificateBundle } from '#server/domain/cms/certificate-bundle.ts'
import { readZip } from '#server/domain/trust/zip-archive.ts'
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
const namesIn = (file: Uint8Array) =>
  readCertificateBundle(file, 'autoridades').certificates.map(({ name }) => name)

test('one certificate alone, DER or PEM', () => {
  const { root } = authority
  expect(namesIn(root.der)).toEqual([root.name])
  expect(namesIn(bytes(pem(root.der)))).toEqual([root.name])
})

test('several in one PEM, each once', () => {
  const { root, issuing } = authority
  const both = pem(root.der) + pem(issuing.der) + pem(root.der)
  expect(namesIn(bytes(both))).toEqual([root.name, issuing.name])
})

test('PKCS #7 as openssl packs it, DER and PEM', () => {
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
    const names = namesIn(new Uint8Array(readFileSync(target)))
    expect(names.toSorted()).toEqual([root.name, issuing.name].toSorted())
  }
})

test('an archive with folders, stored and deflated, and what is in it that is none', () => {
  const { root, issuing } = authority
  const archive = zipOf([
    { name: 'Certificados/', bytes: new Uint8Array(), method: 'stored' },
    { name: 'Certificados/raíz.crt', bytes: root.der, method: 'stored' },
    { name: 'Certificados/AC.cer', bytes: bytes(pem(issuing.der)), method: 'deflated' },
    { name: 'léame.txt', bytes: bytes('nada'), method: 'deflated' },
    { name: 'roto.cer', bytes: root.der.subarray(0, 40), method: 'deflated' },
  ])
  const bundle = readCertificateBundle(archive, 'Cert_Prod.zip')
  expect(bundle.certificates.map(({ name }) => name)).toEqual([root.name, issuing.name])
  expect(bundle.unreadable).toEqual(['roto.cer'])
})

test('certificate bundle: a file that is none is reported', () => {
  for (const file of [
    new Uint8Array(),
    bytes('hola'),
    bytes('PK\x03\x04 pero no es un archivo zip'),
  ])
    expect(readCertificateBundle(file, 'x.zip')).toEqual({
      certificates: [],
      unreadable: ['x.zip'],
    })
})

test('no cut or flipped archive does more than be refused', () => {
  const archive = zipOf([{ name: 'a.cer', bytes: authority.root.der, method: 'deflated' }])
  for (let at = 0; at < archive.length; at++) {
    const flipped = archive.slice()
    flipped[at] = (flipped[at] ?? 0) ^ 0xff
    readCertificateBundle(flipped, 'a.zip')
    readCertificateBundle(archive.subarray(0, at), 'a.zip')
  }
})

test('a bomb is not unpacked', () => {
  const bomb = deflateRawSync(new Uint8Array(64 << 20))
  const archive = zipOf([
    { name: 'a.cer', bytes: new Uint8Array(10), method: 'deflated', packed: bomb },
  ])
  expect(() => readZip(archive)).toThrow(RangeError)
})
