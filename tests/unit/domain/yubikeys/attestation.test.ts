import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  basicConstraints,
  extension,
  mintCertificate,
  nameOf,
} from '#server/demo/certificate-minting.ts'
import {
  type DemoDevice,
  type DemoMaker,
  mintDevice,
  mintMaker,
  mintSubordinateMaker,
  pemFile,
} from '#server/demo/yubikey-minting.ts'
import { integer } from '#server/domain/asn1/der-writer.ts'
import {
  ID_YUBIKEY_FIRMWARE,
  ID_YUBIKEY_FORM_FACTOR,
  ID_YUBIKEY_POLICIES,
  ID_YUBIKEY_SERIAL,
} from '#server/domain/asn1/object-identifiers.ts'
import { after, days, type Instant, parseInstant } from '#server/domain/time.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { attestationReading } from '#server/domain/yubikeys/attestation-reading.ts'
import { MOST_ATTESTATION_BYTES } from '#server/domain/yubikeys/attestation-statement.ts'

const NOW = parseInstant('2026-11-20T00:00:00Z')
const FORM = { usbC: 3, fipsUsbC: 0x83, securityKeyUsbA: 0x41 }

const inDays = (count: number) => after(NOW, days(count))

let maker: DemoMaker
let device: DemoDevice
let statement: Uint8Array

beforeAll(async () => {
  maker = await mintMaker('Raíz de llaves de prueba', inDays(-1000))
  device = await mintDevice(maker, { serial: 12_345_678, firmware: [5, 4, 3], form: FORM.usbC })
  statement = device.attest({ slot: '9c', pin: 3, touch: 3 })
}, 60_000)

const read = (files: Uint8Array[], makers: Uint8Array[] = [maker.der], at: Instant = NOW) =>
  attestationReading(files, makers, at)

function verdictOf(files: Uint8Array[], makers?: Uint8Array[], at?: Instant) {
  const reading = read(files, makers, at)
  if (reading.kind === 'refused') throw new Error(reading.fault)
  return reading.verdict
}

describe('facts', () => {
  test('statement: read as the device states them', () => {
    expect(read([statement, device.intermediate])).toMatchObject({
      kind: 'read',
      facts: {
        slot: '9c',
        serial: '12345678',
        firmware: '5.4.3',
        pinPolicy: 'always',
        touchPolicy: 'cached',
        formFactor: 'usb-c-keychain',
        variant: null,
      },
      key: { kind: 'ec', bits: null, curve: '1.2.840.10045.3.1.7', isWeak: false },
    })
  })

  test.each([
    [FORM.fipsUsbC, { formFactor: 'usb-c-keychain', variant: 'fips' }],
    [FORM.securityKeyUsbA, { formFactor: 'usb-a-keychain', variant: 'security-key' }],
    [0, { formFactor: null, variant: null }],
    [0x3f, { formFactor: null, variant: null }],
  ])('form factor %s: its form apart from its bits', async (form, facts) => {
    const other = await mintDevice(maker, { serial: 7, firmware: [5, 7, 4], form })
    expect(read([other.attest({})])).toMatchObject({ facts })
  })

  test('policies of unknown codes: unknown, not the weakest and not the strongest', () => {
    expect(read([device.attest({ pin: 9, touch: 0 })])).toMatchObject({
      facts: { pinPolicy: 'unknown', touchPolicy: 'unknown' },
    })
  })

  test('the largest serial number: read as it is printed', async () => {
    const other = await mintDevice(maker, { serial: 0xffff_ffff, firmware: [5, 7, 4], form: 1 })
    expect(read([other.attest({})])).toMatchObject({ facts: { serial: '4294967295' } })
  })

  test('without serial number and form factor: they stay unknown', () => {
    const extensions = [
      extension(ID_YUBIKEY_FIRMWARE, Uint8Array.of(4, 3, 5)),
      extension(ID_YUBIKEY_POLICIES, Uint8Array.of(2, 1)),
    ]
    expect(read([device.attest({ extensions })])).toMatchObject({
      facts: { serial: null, formFactor: null, firmware: '4.3.5', pinPolicy: 'once' },
    })
  })

  test('RSA key of a firmware whose keys can be computed: weak; of a later one, or an EC key: not', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const old = await mintDevice(maker, { serial: 1, firmware: [4, 3, 4], form: 1 })
    const next = await mintDevice(maker, { serial: 1, firmware: [4, 3, 5], form: 1 })
    expect(read([old.attest({ publicKey })])).toMatchObject({ key: { bits: 2048, isWeak: true } })
    expect(read([next.attest({ publicKey })])).toMatchObject({ key: { isWeak: false } })
    expect(read([old.attest({})])).toMatchObject({ key: { isWeak: false } })
  }, 20_000)
})

describe('verdict', () => {
  test('chain to a root of the maker: proven, from the device to the root', () => {
    expect(verdictOf([statement, device.intermediate])).toMatchObject({
      kind: 'proven',
      forTesting: true,
      authorities: [{ name: 'Yubico PIV Attestation' }, { name: 'Raíz de llaves de prueba' }],
    })
  })

  test('files in any order, as DER or in one PEM: proven', () => {
    expect(verdictOf([device.intermediate, statement]).kind).toBe('proven')
    expect(verdictOf([pemFile(device.intermediate, statement)]).kind).toBe('proven')
    expect(verdictOf([pemFile(statement), pemFile(device.intermediate)]).kind).toBe('proven')
  })

  test('stored attestation: reads as the files that came', () => {
    const first = read([statement, device.intermediate])
    if (first.kind === 'refused') throw new Error(first.fault)
    expect(read([first.certificates])).toEqual(first)
  })

  test('newer authorities between: proven with those of the office or of the file, not without', async () => {
    const between = await mintSubordinateMaker(maker, 'Intermedio de prueba')
    const newer = await mintDevice(between, { serial: 2, firmware: [5, 7, 4], form: 1 })
    const files = [newer.attest({}), newer.intermediate]
    expect(verdictOf(files, [maker.der, between.der]).kind).toBe('proven')
    expect(verdictOf([...files, between.der]).kind).toBe('proven')
    expect(verdictOf(files)).toEqual({ kind: 'unchecked', reason: 'no-issuer' })
  }, 20_000)

  test('no root of the maker: unchecked, also if the file brings one', () => {
    const brought = [statement, device.intermediate, maker.der]
    expect(verdictOf(brought, [])).toEqual({ kind: 'unchecked', reason: 'no-maker-root' })
  })

  test('an intermediate alone as what the office trusts: unchecked', async () => {
    const between = await mintSubordinateMaker(maker, 'Intermedio de prueba')
    const files = [statement, device.intermediate]
    expect(verdictOf(files, [between.der]).kind).toBe('unchecked')
  })

  test('root of another maker: unchecked, also if the file brings the right one', async () => {
    const other = await mintMaker('Raíz de otro fabricante', inDays(-10))
    const files = [statement, device.intermediate, maker.der]
    expect(verdictOf(files, [other.der])).toEqual({ kind: 'unchecked', reason: 'no-issuer' })
  })

  test('root with the name of the maker and another key: refuted', async () => {
    const namesake = await mintMaker('Raíz de llaves de prueba', inDays(-1000))
    expect(verdictOf([statement, device.intermediate], [namesake.der])).toEqual({
      kind: 'refuted',
      reason: 'bad-signature',
    })
  })

  test('altered statement: refuted', () => {
    const serial = Buffer.from(statement).indexOf(Buffer.from(integer(12_345_678)))
    const altered = Uint8Array.from(statement)
    altered[serial + 3] = (altered[serial + 3] ?? 0) ^ 1
    const reading = read([altered, device.intermediate])
    expect(reading).toMatchObject({
      kind: 'read',
      verdict: { kind: 'refuted', reason: 'bad-signature' },
    })
  })

  test('statement of one device with the certificate of another: refuted', async () => {
    const other = await mintDevice(maker, { serial: 3, firmware: [5, 4, 3], form: 1 })
    expect(verdictOf([statement, other.intermediate])).toEqual({
      kind: 'refuted',
      reason: 'bad-signature',
    })
  })

  test('statement that the root signed itself: refuted, for no device signed it', () => {
    const { subject } = readCertificate(statement)
    const direct = mintCertificate({
      ...{ serial: '71', issuer: maker.name, subject: subject.bytes, issuerKey: maker.key },
      publicKey: generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey,
      ...{ notBefore: maker.notBefore, notAfter: inDays(1) },
      extensions: statedBy(9),
    })
    expect(verdictOf([direct])).toEqual({ kind: 'refuted', reason: 'not-by-a-device' })
  })

  test('statement by the holder of another attested key: refuted, for that one may issue nothing', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const attested = device.attest({ publicKey })
    const { subject } = readCertificate(attested)
    const forged = mintCertificate({
      ...{ serial: '72', issuer: subject.bytes, issuerKey: privateKey },
      subject: readCertificate(device.attest({ slot: '9a' })).subject.bytes,
      publicKey,
      ...{ notBefore: maker.notBefore, notAfter: inDays(1) },
      extensions: statedBy(12_345_678),
    })
    // Only one statement may be in the files: the real one goes under another name.
    expect(read([forged, attested, device.intermediate])).toEqual({
      kind: 'refused',
      fault: 'several-statements',
    })
    expect(verdictOf([forged, device.intermediate]).kind).not.toBe('proven')
  }, 20_000)

  test('SHA-1: refuted as weak', () => {
    const weak = mintCertificate({
      ...{ serial: '73', issuer: maker.name, issuerKey: maker.key, digest: 'sha1' },
      subject: readCertificate(device.intermediate).subject.bytes,
      publicKey: keyOf(device.intermediate),
      ...{ notBefore: maker.notBefore, notAfter: inDays(1) },
      extensions: [basicConstraints({ isAuthority: true, pathLength: 0 })],
    })
    expect(verdictOf([statement, weak])).toEqual({ kind: 'refuted', reason: 'weak-algorithm' })
  })

  test('before and behind its validity: refuted', () => {
    const files = [statement, device.intermediate]
    expect(verdictOf(files, undefined, inDays(-2000))).toMatchObject({
      reason: 'not-yet-valid',
    })
    expect(verdictOf(files, undefined, inDays(40 * 365))).toMatchObject({
      reason: 'expired',
    })
  })
})

describe('hostile files', () => {
  test('certificate of an imported key, which signed itself: no statement', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const name = nameOf([])
    const own = mintCertificate({
      ...{ serial: '74', issuer: name, subject: name, publicKey, issuerKey: privateKey },
      ...{ notBefore: NOW, notAfter: inDays(1), extensions: [] },
    })
    expect(read([own])).toEqual({ kind: 'refused', fault: 'no-statement' })
  }, 20_000)

  test('certificate of slot f9 alone: said so', () => {
    expect(read([device.intermediate])).toEqual({ kind: 'refused', fault: 'only-intermediate' })
  })

  test('cut anywhere: refused or unproven, never a crash', () => {
    for (let end = 0; end < statement.length; end += 7) {
      const reading = read([statement.subarray(0, end), device.intermediate])
      expect(reading, `${end}`).toMatchObject({ kind: 'refused' })
    }
  })

  test.each([
    ['firmware of two octets', [[ID_YUBIKEY_FIRMWARE, [5, 4]]]],
    ['policies of one octet', [[ID_YUBIKEY_POLICIES, [1]]]],
    ['form factor of two octets', [[ID_YUBIKEY_FORM_FACTOR, [1, 1]]]],
    ['serial number that is no INTEGER', [[ID_YUBIKEY_SERIAL, [1, 2, 3]]]],
    ['negative serial number', [[ID_YUBIKEY_SERIAL, [2, 1, 0xff]]]],
    ['serial number of five octets', [[ID_YUBIKEY_SERIAL, [2, 5, 1, 1, 1, 1, 1]]]],
    [
      'firmware twice',
      [
        [ID_YUBIKEY_FIRMWARE, [5, 4, 3]],
        [ID_YUBIKEY_FIRMWARE, [5, 7, 4]],
      ],
    ],
  ] as const)('%s: malformed', (_, changed) => {
    const kept = Object.entries(STATED).filter(([oid]) => !changed.some(([one]) => one === oid))
    const extensions = [...kept, ...changed].map(([oid, octets]) =>
      extension(oid, Uint8Array.from(octets)),
    )
    expect(read([device.attest({ extensions }), device.intermediate])).toEqual({
      kind: 'refused',
      fault: 'malformed',
    })
  })

  test('huge files and endless bundles: refused, or cut to a few certificates', () => {
    const started = performance.now()
    expect(read([new Uint8Array(MOST_ATTESTATION_BYTES + 1)])).toMatchObject({ fault: 'too-large' })
    const many = pemFile(...Array.from({ length: 40 }, () => device.intermediate), statement)
    expect(read([many])).toEqual({ kind: 'refused', fault: 'only-intermediate' })
    expect(performance.now() - started).toBeLessThan(2000)
  })

  test('text, nothing, a private key: unreadable', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    const key = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    for (const file of [new Uint8Array(), Buffer.from('hola'), key])
      expect(read([Uint8Array.from(file)])).toEqual({ kind: 'refused', fault: 'unreadable' })
  })
})

const STATED = {
  [ID_YUBIKEY_FIRMWARE]: [5, 4, 3],
  [ID_YUBIKEY_SERIAL]: [2, 1, 9],
  [ID_YUBIKEY_POLICIES]: [3, 2],
}

const statedBy = (serial: number) => [
  extension(ID_YUBIKEY_FIRMWARE, Uint8Array.of(5, 4, 3)),
  extension(ID_YUBIKEY_SERIAL, integer(serial)),
  extension(ID_YUBIKEY_POLICIES, Uint8Array.of(3, 2)),
]

const keyOf = (certificate: Uint8Array) =>
  createPublicKey({
    key: Buffer.from(readCertificate(certificate).publicKey.spki),
    ...{ format: 'der', type: 'spki' },
  })
