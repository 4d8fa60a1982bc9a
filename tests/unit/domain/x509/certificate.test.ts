import { X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { mintCertificate, nameOf } from '#server/demo/certificate-minting.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { DerError, readBer } from '#server/domain/asn1/der.ts'
import { sequenceOf } from '#server/domain/asn1/der-values.ts'
import {
  boolean,
  element,
  explicit,
  nullValue,
  octetString,
  oid,
  retagged,
  sequence,
  setOfElements,
  utf8String,
} from '#server/domain/asn1/der-writer.ts'
import { parseInstant } from '#server/domain/time.ts'
import { certificateFromFile, readCertificate } from '#server/domain/x509/certificate.ts'
import {
  basicConstraintsOf,
  extendedKeyUsageOf,
  keyUsageOf,
} from '#server/domain/x509/extensions.ts'
import { areSameName, displayName, readName } from '#server/domain/x509/name.ts'
import { testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'

beforeAll(async () => void (await testEfirma()), 60_000)

test('a certificate is read as Node reads it', async () => {
  const { cer, certificate } = await testEfirma()
  const judge = new X509Certificate(cer)
  expect(certificate.notBefore).toBe(Date.parse(judge.validFrom))
  expect(certificate.notAfter).toBe(Date.parse(judge.validTo))
  expect(certificate.serial).toBe(judge.serialNumber.toLowerCase())
  expect(Buffer.from(certificate.publicKey.spki)).toEqual(
    judge.publicKey.export({ type: 'spki', format: 'der' }),
  )
  expect(certificate.publicKey.kind).toBe('rsa')
  expect(certificate.der).toBe(cer)
})

test('PEM is read like DER', async () => {
  const { cer, certificate } = await testEfirma()
  const pem = Buffer.from(`Bag attributes\n${new X509Certificate(cer).toString()}`)
  expect(certificateFromFile(pem).serial).toBe(certificate.serial)
})

test('an authority says so', async () => {
  const { root } = await testAuthority()
  expect(basicConstraintsOf(root)).toEqual({ isAuthority: true, pathLength: 1 })
  expect([...(keyUsageOf(root) ?? [])]).toEqual(['keyCertSign', 'cRLSign'])
  expect(extendedKeyUsageOf(root)).toBeUndefined()
})

test('no change of one octet throws anything but the typed error', async () => {
  const { cer } = await testEfirma()
  for (let at = 0; at < cer.length; at++)
    for (const mask of [0x01, 0x20, 0x80, 0xff]) {
      const mutant = cer.slice()
      mutant[at] = (mutant[at] ?? 0) ^ mask
      mustReadOrRefuse(mutant)
    }
})

test('a certificate with a field that no certificate has is none: another program reads another one', async () => {
  const { cer } = await testEfirma()
  const partsOf = (bytes: Uint8Array) => sequenceOf(readBer(bytes)).map((part) => part.bytes)
  const [tbs, ...outer] = partsOf(cer) as [Uint8Array, Uint8Array, Uint8Array]
  const fields = partsOf(tbs)
  const [validity, wrapped] = [fields[4]!, fields[7]!]
  const read = (...all: Uint8Array[]) => readCertificate(sequence(sequence(...all), ...outer))
  const withExtension = (...parts: Uint8Array[]) =>
    read(...fields.slice(0, 7), explicit(3, sequence(sequence(oid('1.2.3'), ...parts))))
  const value = octetString(Uint8Array.of(5, 0))
  expect(read(...fields).extensions).not.toHaveLength(0)
  expect(withExtension(boolean(true), value).extensions).toMatchObject([{ isCritical: true }])
  const [ofIssuer, ofSubject] = [0x81, 0x82].map((tag) => element(tag, Uint8Array.of(0, 1)))
  const withIds = (...ids: (Uint8Array | undefined)[]) =>
    read(...fields.slice(0, 7), ...ids.filter((id) => id !== undefined), wrapped)
  for (const ids of [[ofIssuer], [ofSubject], [ofIssuer, ofSubject]])
    expect(withIds(...ids).extensions).not.toHaveLength(0)
  for (const odd of [
    () => read(...fields.toSpliced(7, 1, retagged(0xa2, wrapped))),
    () => withIds(ofSubject, ofIssuer),
    () => withIds(ofIssuer, ofIssuer),
    () => withIds(ofIssuer, ofSubject, ofSubject),
    () => read(...fields, wrapped),
    () => read(...fields, nullValue()),
    () => read(...fields.toSpliced(4, 1, sequence(...partsOf(validity), nullValue()))),
    () => withExtension(value, boolean(true)),
    () => withExtension(value, value),
    () => withExtension(boolean(true), value, nullValue()),
  ])
    expect(odd).toThrow(DerError)
})

test('no shorter file throws anything but the typed error', async () => {
  const { cer } = await testEfirma()
  for (let length = 0; length < cer.length; length += 3)
    expect(() => readCertificate(cer.subarray(0, length))).toThrow(DerError)
})

function mustReadOrRefuse(bytes: Uint8Array) {
  try {
    const certificate = readCertificate(bytes)
    basicConstraintsOf(certificate)
    keyUsageOf(certificate)
    extendedKeyUsageOf(certificate)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
  }
}

describe('names', () => {
  const nameFromBytes = (bytes: Uint8Array) => readName(readBer(bytes))
  const named = (tag: number, text: string, encoding: BufferEncoding = 'utf8') =>
    nameFromBytes(
      sequence(setOfElements(sequence(oid('2.5.4.3'), element(tag, Buffer.from(text, encoding))))),
    )
  const twice = Buffer.from('Administración').toString('latin1')

  test.each([
    ['other case and spaces', named(0x13, 'AC  UAT '), named(0x13, 'ac uat'), true],
    ['another string type', named(0x0c, 'Ñandú'), named(0x14, 'Ñandú', 'latin1'), true],
    ['UTF-8 in a PrintableString', named(0x0c, twice), named(0x13, 'Administración'), true],
    ['the same, not decoded', named(0x0c, twice), named(0x13, twice), true],
    ['a mark at the beginning', named(0x0c, 'AC UAT'), named(0x0c, '\ufeffAC UAT'), true],
    ['a mark between spaces', named(0x0c, 'AC UAT'), named(0x0c, 'AC \u00ad UAT'), true],
    ['a line', named(0x0c, 'AC UAT'), named(0x0c, 'AC\u0085UAT'), true],
    ['separators', named(0x0c, 'AC UAT'), named(0x0c, '\u2029AC\u00a0\u2028UAT\t'), true],
    ['an object that is replaced', named(0x0c, 'AC UAT'), named(0x0c, 'AC\ufffc UAT'), true],
    ['a hyphen of Mongolian', named(0x0c, 'AC UAT'), named(0x0c, 'A\u1806C UAT'), true],
    ['a dot on I', named(0x0c, 'İstanbul'), named(0x0c, 'istanbul'), true],
    ['a dot of its own on I', named(0x0c, 'I\u0307stanbul'), named(0x0c, 'ISTANBUL'), true],
    ['sharp s', named(0x0c, 'Große Straße'), named(0x0c, 'GROSSE STRAẞE'), true],
    ['the last sigma', named(0x0c, 'ΟΔΟΣ'), named(0x0c, 'οδοσ'), true],
    ['letters in one sign', named(0x0c, '℡ AC'), named(0x0c, 'tel ac'), true],
    ['no space', named(0x0c, 'AC UAT'), named(0x0c, 'ACUAT'), false],
    ['another name', named(0x13, 'AC 1'), named(0x13, 'AC 2'), false],
  ])('%s', (_, a, b, expected) => {
    expect(areSameName(a, b)).toBe(expected)
  })

  test('of several common names the last is that of the holder: those before are of a directory', () => {
    const part = (type: string, value: string) =>
      setOfElements(sequence(oid(type), utf8String(value)))
    const [domain, common, unit] = ['0.9.2342.19200300.100.1.25', '2.5.4.3', '2.5.4.11']
    const ofDirectory = [part(domain, 'mx'), part(common, 'Users'), part(common, 'Ana Muñoz')]
    expect(displayName(nameFromBytes(sequence(...ofDirectory)))).toBe('Ana Muñoz')
    const units = [part(unit, 'Notaría'), part(unit, 'Sellos')]
    expect(displayName(nameFromBytes(sequence(...units)))).toBe('Sellos')
    const unseen = [part(common, 'Ana Muñoz'), part(common, '\u200b')]
    expect(displayName(nameFromBytes(sequence(...unseen)))).toBe('Ana Muñoz')
    const nameless = [part(common, ''), part(domain, 'mx'), part('2.5.4.45', 'MULA800101AB1')]
    expect(displayName(nameFromBytes(sequence(...nameless)))).toBe('mx, MULA800101AB1')
  })

  test('names without attributes are the same only byte for byte', () => {
    const empty = nameFromBytes(sequence())
    expect(areSameName(empty, nameFromBytes(sequence()))).toBe(true)
    expect(areSameName(empty, named(0x13, ''))).toBe(false)
  })
})

test('certificate: long serial numbers and values of names that are no text take no time', async () => {
  const { publicKey, privateKey } = await newKeyPair()
  const octets = octetString(new Uint8Array(20_000).fill(0x5a))
  const der = mintCertificate({
    serial: '1'.repeat(20_000),
    issuer: nameOf([{ oid: '2.5.4.3', value: utf8String('Raíz') }]),
    subject: nameOf([{ oid: '2.5.4.45', value: octets }]),
    ...{ publicKey, issuerKey: privateKey, extensions: [] },
    notBefore: parseInstant('2024-01-01'),
    notAfter: parseInstant('2032-01-01'),
  })
  const read = () => {
    for (let count = 0; count < 200; count++) readCertificate(der)
  }
  expect(await cpuTimeOf(read)).toBeLessThan(1000)
}, 60_000)
