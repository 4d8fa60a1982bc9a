import { constants, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDer } from '#server/domain/asn1/der.ts'
import {
  bitString,
  explicit,
  integer,
  nullValue,
  octetString,
  oid,
  sequence,
  unsignedInteger,
} from '#server/domain/asn1/der-writer.ts'
import { parseInstant } from '#server/domain/time.ts'
import { isStrongAt } from '#server/domain/trust/algorithm-policy.ts'
import { checkIssuedBy, isSelfSigned } from '#server/domain/trust/issued-by.ts'
import { checkSignature } from '#server/domain/trust/signature-algorithm.ts'
import { readAlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { judge } from '#tests/support/judges.ts'

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replace(/\s/g, ''), 'hex'))
const algorithm = (id: string, ...parameters: Uint8Array[]) =>
  readAlgorithmIdentifier(readDer(sequence(oid(id), ...parameters)))

const ED25519 = '1.3.101.112'
const ED448 = '1.3.101.113'
const EC_KEY = '1.2.840.10045.2.1'
const P256 = '1.2.840.10045.3.1.7'
const ECDSA_SHA256 = '1.2.840.10045.4.3.2'
const RSA_KEY = '1.2.840.113549.1.1.1'
const RSA_SHA256 = '1.2.840.113549.1.1.11'
const RSA_PSS = '1.2.840.113549.1.1.10'

describe('vectors of the standards', () => {
  test.each([
    [
      'RFC 8032, 7.1, test 1',
      ED25519,
      sequence(
        sequence(oid(ED25519)),
        bitString(hex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')),
      ),
      '',
      `e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
       5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b`,
    ],
    [
      'RFC 8032, 7.4, blank',
      ED448,
      sequence(
        sequence(oid(ED448)),
        bitString(
          hex(`5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778
               edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180`),
        ),
      ),
      '',
      `533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f2b233f034f628281f2fd7a22ddd47d78
       28c59bd0a21bfd3980ff0d2028d4b18a9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda8530a113a0f4db
       b61149f05a7363268c71d95808ff2e652600`,
    ],
    [
      'RFC 6979, A.2.5, SHA-256 of "sample"',
      ECDSA_SHA256,
      sequence(
        sequence(oid(EC_KEY), oid(P256)),
        bitString(
          hex(`04 60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6
               7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299`),
        ),
      ),
      'sample',
      Buffer.from(
        sequence(
          unsignedInteger(hex('EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716')),
          unsignedInteger(hex('F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8')),
        ),
      ).toString('hex'),
    ],
  ])('%s', (_, id, spki, message, signature) => {
    const signed = Buffer.from(message)
    const check = (bytes: Uint8Array) =>
      checkSignature({ algorithm: algorithm(id), spki, signed, signature: bytes })
    expect(check(hex(signature))).toMatchObject({ isVerified: true, facts: { isWeak: false } })
    const changed = hex(signature)
    changed[20] = (changed[20] ?? 0) ^ 1
    expect(check(changed)).toMatchObject({ isVerified: false })
    const withParameters = algorithm(id, octetString(hex('00')))
    const input = { algorithm: withParameters, spki, signed, signature: hex(signature) }
    expect(checkSignature(input).kind).toBe('unsupported')
  })
})

test.each([
  ['ED25519', ['ed25519'], 'Ed25519', 255],
  ['ED448', ['ed448'], 'Ed448', 448],
  ['EC on P-256', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'], 'ECDSA', 256],
  ['EC on P-384', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384', '-sha384'], 'ECDSA', 384],
  ['EC on P-521', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-521', '-sha512'], 'ECDSA', 521],
  ['brainpoolP256r1', ['ec', '-pkeyopt', 'ec_paramgen_curve:brainpoolP256r1'], 'ECDSA', 256],
  [
    'brainpoolP384r1',
    ['ec', '-pkeyopt', 'ec_paramgen_curve:brainpoolP384r1', '-sha384'],
    'ECDSA',
    384,
  ],
  [
    'brainpoolP512r1',
    ['ec', '-pkeyopt', 'ec_paramgen_curve:brainpoolP512r1', '-sha512'],
    'ECDSA',
    512,
  ],
  ['RSA with SHA-384', ['rsa:2048', '-sha384'], 'RSASSA-PKCS1-v1_5', 2048],
  ['RSA with SHA3-256', ['rsa:2048', '-sha3-256'], 'RSASSA-PKCS1-v1_5', 2048],
  ['RSA with PSS', ['rsa:2048', '-sigopt', 'rsa_padding_mode:pss'], 'RSASSA-PSS', 2048],
  [
    'RSA with PSS and a long salt',
    ['rsa:2048', '-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:64', '-sha512'],
    'RSASSA-PSS',
    2048,
  ],
  [
    'RSA with PSS and another digest in the mask',
    ['rsa:2048', '-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_mgf1_md:sha1'],
    'RSASSA-PSS',
    2048,
  ],
  [
    'RSA with PSS and a longer digest in the mask',
    [
      'rsa:2048',
      '-sigopt',
      'rsa_padding_mode:pss',
      '-sigopt',
      'rsa_mgf1_md:sha512',
      '-sigopt',
      'rsa_pss_saltlen:20',
    ],
    'RSASSA-PSS',
    2048,
  ],
  ['a key for PSS alone', ['rsa-pss', '-pkeyopt', 'rsa_keygen_bits:2048'], 'RSASSA-PSS', 2048],
] as const)('a certificate that OpenSSL signs with %s', (_, key, scheme, keyBits) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'signature-'))
  try {
    const out = path.join(folder, 'made.der')
    const { status, errors } = judge('openssl')(
      ...['req', '-x509', '-nodes', '-subj', '/CN=Judge', '-days', '2', '-outform', 'DER'],
      ...['-keyout', path.join(folder, 'made.key'), '-out', out, '-newkey', ...key],
    )
    expect(status, errors).toBe(0)
    const certificate = readCertificate(new Uint8Array(readFileSync(out)))
    expect(isSelfSigned(certificate)).toBe(true)
    expect(checkIssuedBy(certificate, certificate)).toMatchObject({
      facts: { scheme, keyBits, isWeak: false },
    })
    const changed = { ...certificate, tbs: Uint8Array.from(certificate.tbs) }
    changed.tbs[40] = (changed.tbs[40] ?? 0) ^ 1
    expect(isSelfSigned(changed)).toBe(false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

describe('keys and parameters that prove nothing', () => {
  const signed = Buffer.from('escritura 4521')
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const spki = publicKey.export({ type: 'spki', format: 'der' })

  test('an exponent of 1, with which every number is its own signature', () => {
    const modulus = Uint8Array.from({ length: 256 }, () => 0xff)
    const key = sequence(
      sequence(oid(RSA_KEY), nullValue()),
      bitString(sequence(unsignedInteger(modulus), integer(1))),
    )
    const check = checkSignature({
      algorithm: algorithm(RSA_SHA256, nullValue()),
      spki: key,
      signed,
      signature: new Uint8Array(256),
    })
    if (check.kind === 'checked') expect(check.facts).toMatchObject({ keyBits: 0, isWeak: true })
    else expect(check.kind).toBe('unsupported')
  })

  test('a curve that the key describes by itself', () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' })
    const signature = sign('sha256', signed, pair.privateKey)
    const own = pair.publicKey.export({ type: 'spki', format: 'der' })
    const input = { algorithm: algorithm(ECDSA_SHA256), spki: own, signed, signature }
    expect(checkSignature(input).kind).toBe('unsupported')
  })

  test('parameters that RSA does not have', () => {
    const signature = sign('sha256', signed, privateKey)
    const id = algorithm(RSA_SHA256, integer(7))
    expect(checkSignature({ algorithm: id, spki, signed, signature }).kind).toBe('unsupported')
  })

  const sha256 = sequence(oid('2.16.840.1.101.3.4.2.1'))
  const mask = sequence(oid('1.2.840.113549.1.1.8'), sha256)
  const pss = (saltLength: number) =>
    sign('sha256', signed, {
      key: privateKey,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength,
    })
  test.each([
    ['twice the same', [explicit(0, sha256), explicit(0, sha256), explicit(1, mask)]],
    ['out of order', [explicit(1, mask), explicit(0, sha256), explicit(2, integer(32))]],
    ['one that does not exist', [explicit(0, sha256), explicit(1, mask), explicit(4, integer(32))]],
    [
      'another trailer',
      [explicit(0, sha256), explicit(1, mask), explicit(2, integer(32)), explicit(3, integer(2))],
    ],
    [
      'a salt longer than the key',
      [explicit(0, sha256), explicit(1, mask), explicit(2, integer(100_000))],
    ],
    [
      'a salt of another length',
      [explicit(0, sha256), explicit(1, mask), explicit(2, integer(20))],
    ],
  ])('parameters of PSS: %s', (_, fields) => {
    const id = algorithm(RSA_PSS, sequence(...fields))
    const check = checkSignature({ algorithm: id, spki, signed, signature: pss(32) })
    expect(check.kind === 'checked' && check.isVerified).toBe(false)
  })

  test('a key for PSS alone does not verify anything else, nor with less than it asks for', () => {
    const pair = generateKeyPairSync('rsa-pss', {
      modulusLength: 2048,
      hashAlgorithm: 'sha256',
      mgf1HashAlgorithm: 'sha256',
      // A number, whatever the types say.
      ...({ saltLength: 48 } as object),
    })
    const own = pair.publicKey.export({ type: 'spki', format: 'der' })
    const with48 = [explicit(0, sha256), explicit(1, mask), explicit(2, integer(48))]
    const signature = sign('sha256', signed, { key: pair.privateKey, saltLength: 48 })
    const check = (id: ReturnType<typeof algorithm>) => {
      const result = checkSignature({ algorithm: id, spki: own, signed, signature })
      return result.kind === 'checked' && result.isVerified
    }
    expect(check(algorithm(RSA_PSS, sequence(...with48)))).toBe(true)
    expect(check(algorithm(RSA_SHA256, nullValue()))).toBe(false)
    expect(check(algorithm(RSA_PSS, sequence(...with48.slice(0, 2))))).toBe(false)
  })
})

describe('until when an algorithm counts is data', () => {
  const sha1 = { scheme: 'RSASSA-PKCS1-v1_5', digest: 'sha1', keyBits: 1024, isWeak: true } as const
  const policy = {
    digests: { sha1: parseInstant('2013-12-31'), sha256: null },
    keys: {
      rsa: [
        { leastBits: 1024, until: parseInstant('2010-12-31') },
        { leastBits: 2048, until: null },
      ],
      dsa: [],
      ec: [{ leastBits: 255, until: null }],
    },
  }
  test.each([
    ['both were good enough', sha1, '2010-06-01', true],
    ['the key no more', sha1, '2011-06-01', false],
    ['a longer key still', { ...sha1, keyBits: 2048 }, '2011-06-01', true],
    ['the digest no more', { ...sha1, keyBits: 2048 }, '2014-06-01', false],
    ['a digest that is not named', { ...sha1, digest: 'md5' as const }, '2005-06-01', false],
    ['a key of a kind without a row', { ...sha1, scheme: 'DSA' as const }, '2005-06-01', false],
    [
      'a curve, which digests by itself',
      { scheme: 'Ed25519' as const, digest: undefined, keyBits: 255, isWeak: false },
      '2026-06-01',
      true,
    ],
  ])('%s', (_, facts, at, isStrong) => {
    expect(isStrongAt(facts, parseInstant(at), policy)).toBe(isStrong)
  })

  test('weak algorithm without a date: was always weak', () => {
    expect(isStrongAt(sha1, parseInstant('2005-01-01'))).toBe(false)
    const facts = { ...sha1, digest: 'sha256' as const, keyBits: 2048, isWeak: false }
    expect(isStrongAt(facts, parseInstant('2026-01-01'))).toBe(true)
  })
})
