import { verify } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Efirma, newKeyPair } from '#server/demo/certification-authority.ts'
import { readDer } from '#server/domain/asn1/der.ts'
import { explicit, integer, octetString, oid, sequence } from '#server/domain/asn1/der-writer.ts'
import { fromHex } from '#server/domain/bytes.ts'
import { newDerivationWork, spend } from '#server/domain/pkcs/derivation-work.ts'
import { isPkcs12, openPkcs12 } from '#server/domain/pkcs/pkcs12.ts'
import { signWith } from '#server/domain/pkcs/private-key.ts'
import { decryptRc2 } from '#server/domain/pkcs/rc2.ts'
import { TEST_PASSWORD, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { pkcs12Of } from '#tests/support/keys/pkcs12-files.ts'
import { RC2_PKCS12, RC2_PKCS12_PASSWORD } from '#tests/support/keys/rc2-pkcs12.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
}, 60_000)

async function pairsOf(file: Uint8Array, password = TEST_PASSWORD) {
  const outcome = await openPkcs12(file, password)
  if (outcome.kind !== 'opened') throw new Error(outcome.kind)
  return outcome.pairs
}

describe('a file made by OpenSSL opens, and its key matches its certificate', () => {
  test.each([
    ['as it makes them today', []],
    [
      'with AES-128 and SHA-512',
      ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-128-CBC', '-macalg', 'sha512'],
    ],
    [
      'as Windows makes them',
      ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'],
    ],
    ['with two keys of DES', ['-keypbe', 'PBE-SHA1-2DES', '-certpbe', 'PBE-SHA1-2DES']],
    ['with a certificate in the clear', ['-certpbe', 'NONE']],
    ['without a seal', ['-nomac']],
    ['with many turns', ['-iter', '20000']],
  ])('%s', async (_, options) => {
    const [pair, ...more] = await pairsOf(pkcs12Of([efirma], options))
    expect(more).toEqual([])
    if (!pair) throw new Error('no pair')
    expect(pair.certificate.der).toEqual(new Uint8Array(efirma.certificate.der))
    const bytes = Buffer.from('escritura 4521')
    const signature = await signWith(pair.opened, bytes)
    expect(verify('sha256', bytes, efirma.keyPair.publicKey, signature)).toBe(true)
    expect(pair.opened.key.extractable).toBe(false)
  })

  test('with a certificate under RC2', async () => {
    const [pair] = await pairsOf(RC2_PKCS12, RC2_PKCS12_PASSWORD)
    expect(pair?.certificate.name).toBe('PRUEBA')
  })
})

test('PKCS#12: returns the certificate of the key', async () => {
  const other = await testEfirma({ keyPair: await newKeyPair() })
  const [pair, ...more] = await pairsOf(pkcs12Of([other, efirma]))
  expect(more).toEqual([])
  expect(pair?.certificate.der).toEqual(new Uint8Array(other.certificate.der))
})

test('PKCS#12: returns every certificate of one key in the order of the file', async () => {
  const renewed = await testEfirma()
  const pairs = await pairsOf(pkcs12Of([efirma, renewed]))
  expect(pairs.map(({ certificate }) => certificate.serial)).toEqual([
    efirma.certificate.serial,
    renewed.certificate.serial,
  ])
})

describe('refused by name', () => {
  test.each<[string, () => Uint8Array, string, string]>([
    ['another password', () => pkcs12Of([efirma]), 'otra', 'wrong-password'],
    ['no password', () => pkcs12Of([efirma]), '', 'wrong-password'],
    [
      'another password without a seal',
      () => pkcs12Of([efirma], ['-nomac']),
      'otra',
      'wrong-password',
    ],
    ['a file without keys', () => pkcs12Of([efirma], ['-nokeys']), TEST_PASSWORD, 'no-pair'],
    ['a .cer', () => efirma.cer, TEST_PASSWORD, 'not-a-pkcs12'],
    ['a .key', () => efirma.key, TEST_PASSWORD, 'not-a-pkcs12'],
    ['nothing', () => new Uint8Array(), TEST_PASSWORD, 'empty-file'],
    ['a PDF', () => Buffer.from('%PDF-1.7\n'), TEST_PASSWORD, 'is-a-pdf'],
  ])('%s', async (_, file, password, kind) => {
    expect((await openPkcs12(file(), password)).kind).toBe(kind)
  })

  test('any changed byte ends in a named error', async () => {
    const file = pkcs12Of([efirma], ['-iter', '1'])
    for (let at = 0; at < file.length; at += 7) {
      const damaged = file.slice()
      damaged[at] = (damaged[at] ?? 0) ^ 0x55
      expect((await openPkcs12(damaged, TEST_PASSWORD)).kind, `byte ${at}`).toMatch(/^[a-z0-9-]+$/)
    }
  })
})

describe('a file that would keep a server busy is refused', () => {
  const data = '1.2.840.113549.1.7.1'
  const [pbmac1, pbkdf2] = ['1.2.840.113549.1.5.14', '1.2.840.113549.1.5.12']
  const hmacSha256 = '1.2.840.113549.2.9'
  const pfx = (content: Uint8Array, ...macData: Uint8Array[]) =>
    sequence(integer(3), sequence(oid(data), explicit(0, octetString(content))), ...macData)

  test('with a seal whose key is a thousand million octets', async () => {
    const derivation = sequence(octetString(Buffer.alloc(8)), integer(1_000_000), integer(2 ** 30))
    const parameters = sequence(sequence(oid(pbkdf2), derivation), sequence(oid(hmacSha256)))
    const mac = sequence(sequence(oid(pbmac1), parameters), octetString(Buffer.alloc(32)))
    const file = pfx(sequence(), sequence(mac, octetString(Buffer.alloc(8)), integer(1)))
    expect((await openPkcs12(file, TEST_PASSWORD)).kind).toBe('unsupported-encryption')
  })

  test('with a seal whose key costs all turns again for each of its blocks', async () => {
    const derivation = sequence(octetString(Buffer.alloc(8)), integer(1_000_000), integer(128))
    const parameters = sequence(sequence(oid(pbkdf2), derivation), sequence(oid(hmacSha256)))
    const mac = sequence(sequence(oid(pbmac1), parameters), octetString(Buffer.alloc(32)))
    const file = pfx(sequence(), sequence(mac, octetString(Buffer.alloc(8)), integer(1)))
    expect((await openPkcs12(file, TEST_PASSWORD)).kind).toBe('unsupported-encryption')
  })

  test('with derivations that are bearable one by one, and together are not', () => {
    const careful = { scheme: 'PBKDF2', hash: 'SHA-1', iterations: 1_300_000, length: 20 } as const
    const old = { scheme: 'PKCS#12', hash: 'SHA-1', iterations: 100_000 } as const
    const work = newDerivationWork()
    expect([1, 2, 3, 4].map(() => spend(work, [careful]))).toEqual([true, true, true, false])
    const another = newDerivationWork()
    const seal = { ...old, length: 20 }
    const part = [24, 8].map((length) => ({ ...old, length }))
    expect(spend(another, [seal])).toBe(true)
    expect([1, 2, 3].map(() => spend(another, part))).toEqual([true, true, false])
    expect(spend(another, [{ ...seal, iterations: -5_000_000 }])).toBe(true)
    expect(another.roundsLeft).toBeLessThan(newDerivationWork().roundsLeft)
  })

  test('with the same part many times', async () => {
    const [, authSafe] = readDer(pkcs12Of([efirma], ['-nomac', '-iter', '1'])).children()
    const content = authSafe?.children()[1]?.children()[0]?.content ?? new Uint8Array()
    const parts = readDer(content).children()
    const repeated = (times: number) =>
      pfx(sequence(...Array.from({ length: times }, () => parts.map(({ bytes }) => bytes)).flat()))
    expect((await openPkcs12(repeated(2), TEST_PASSWORD)).kind).toBe('opened')
    expect((await openPkcs12(repeated(30), TEST_PASSWORD)).kind).toBe('unsupported-encryption')
  })
})

test('the shape of the file is known without its password', () => {
  expect(isPkcs12(pkcs12Of([efirma]))).toBe(true)
  expect([efirma.cer, efirma.key, new Uint8Array()].map(isPkcs12)).toEqual([false, false, false])
})

/* RFC 2268, 5: where the effective bits are those of the key. The vector is one of CBC by its first vector. */
test.each([
  ['ffffffffffffffff', 'ffffffffffffffff', '278b27e42e2f0d49'],
  ['3000000000000000', '1000000000000001', '30649edf9be7d2c2'],
  ['88bca90e90875a7f0f79c384627bafb2', '0000000000000000', '2269552ab0f85ca6'],
])('RC2 under %s', (key, plain, encrypted) => {
  const wanted = Buffer.from('firmar_\x01', 'latin1')
  const iv = Buffer.from(fromHex(plain)).map((octet, at) => octet ^ (wanted[at] ?? 0))
  const decrypted = decryptRc2(fromHex(key), iv, fromHex(encrypted))
  expect(Buffer.from(decrypted ?? []).toString()).toBe('firmar_')
  expect(decryptRc2(fromHex(key), fromHex(plain), fromHex(encrypted))).toBeUndefined()
})
