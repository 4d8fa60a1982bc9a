import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readDer } from '#server/domain/asn1/der.ts'
import { explicit, integer, nullValue, oid, sequence } from '#server/domain/asn1/der-writer.ts'
import { MOST_EXPONENT_BITS, MOST_RSA_BITS } from '#server/domain/trust/checkable-key.ts'
import { checkableKey, checkSignature } from '#server/domain/trust/signature-algorithm.ts'
import { readAlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'
import { rsaKeyOf } from '#tests/support/authorities/certificate-mesh.ts'

const signed = Buffer.from('escritura 4521')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

const algorithm = (id: string, ...parameters: Uint8Array[]) =>
  readAlgorithmIdentifier(readDer(sequence(oid(id), ...parameters)))
const spkiOf = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })

const check = (
  id: ReturnType<typeof algorithm>,
  key: KeyObject,
  signature: Uint8Array,
  digestOid?: string,
) =>
  checkSignature({
    algorithm: id,
    spki: spkiOf(key),
    signed,
    signature,
    ...(digestOid ? { digestAlgorithm: algorithm(digestOid) } : {}),
  })

describe('RSASSA-PKCS1-v1_5', () => {
  test.each([
    ['1.2.840.113549.1.1.4', 'md5', true],
    ['1.2.840.113549.1.1.5', 'sha1', true],
    ['1.2.840.113549.1.1.11', 'sha256', false],
    ['1.2.840.113549.1.1.12', 'sha384', false],
    ['1.2.840.113549.1.1.13', 'sha512', false],
  ])('%s is %s', (id, digest, isWeak) => {
    const signature = sign(digest, signed, rsa.privateKey)
    expect(check(algorithm(id, nullValue()), rsa.publicKey, signature)).toEqual({
      kind: 'checked',
      isVerified: true,
      facts: { scheme: 'RSASSA-PKCS1-v1_5', digest, keyBits: 2048, isWeak },
    })
    signature[9] = (signature[9] ?? 0) ^ 1
    expect(check(algorithm(id), rsa.publicKey, signature)).toMatchObject({ isVerified: false })
  })

  test('rsaEncryption takes the digest of the signed data', () => {
    const signature = sign('sha512', signed, rsa.privateKey)
    const plain = algorithm('1.2.840.113549.1.1.1', nullValue())
    expect(check(plain, rsa.publicKey, signature, '2.16.840.1.101.3.4.2.3')).toMatchObject({
      isVerified: true,
      facts: { digest: 'sha512' },
    })
    expect(check(plain, rsa.publicKey, signature).kind).toBe('unsupported')
  })

  test('a short key is weak', () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const signature = sign('sha256', signed, short.privateKey)
    expect(check(algorithm('1.2.840.113549.1.1.11'), short.publicKey, signature)).toMatchObject({
      isVerified: true,
      facts: { keyBits: 1024, isWeak: true },
    })
  })
})

describe('RSASSA-PSS', () => {
  const sha256 = sequence(oid('2.16.840.1.101.3.4.2.1'))
  const sha512 = sequence(oid('2.16.840.1.101.3.4.2.3'))
  const parameters = (hash: Uint8Array, mask: Uint8Array, salt: number) =>
    sequence(
      explicit(0, hash),
      explicit(1, sequence(oid('1.2.840.113549.1.1.8'), mask)),
      explicit(2, integer(salt)),
    )
  const pss = (digest: string, saltLength: number) =>
    sign(digest, signed, {
      key: rsa.privateKey,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength,
    })
  const PSS = '1.2.840.113549.1.1.10'

  test('with its parameters', () => {
    const named = algorithm(PSS, parameters(sha256, sha256, 32))
    expect(check(named, rsa.publicKey, pss('sha256', 32))).toMatchObject({
      isVerified: true,
      facts: { scheme: 'RSASSA-PSS', digest: 'sha256', isWeak: false },
    })
    expect(check(named, rsa.publicKey, pss('sha256', 20))).toMatchObject({ isVerified: false })
  })

  test('without parameters means SHA-1 and 20', () => {
    const named = algorithm(PSS, sequence())
    expect(check(named, rsa.publicKey, pss('sha1', 20))).toMatchObject({
      isVerified: true,
      facts: { isWeak: true },
    })
  })

  test('made with another mask is not this one', () => {
    const named = algorithm(PSS, parameters(sha256, sha512, 32))
    expect(check(named, rsa.publicKey, pss('sha256', 32))).toMatchObject({ isVerified: false })
  })
})

test.each([
  ['1.2.840.10045.4.3.2', 'P-256', 'sha256', 256],
  ['1.2.840.10045.4.3.3', 'P-384', 'sha384', 384],
  ['1.2.840.10045.4.3.4', 'P-521', 'sha512', 521],
  ['1.2.840.10045.4.3.2', 'brainpoolP256r1', 'sha256', 256],
  ['1.2.840.10045.4.3.4', 'brainpoolP512r1', 'sha512', 512],
])('ECDSA %s on %s', (id, namedCurve, digest, keyBits) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
  const signature = sign(digest, signed, privateKey)
  expect(check(algorithm(id), publicKey, signature)).toEqual({
    kind: 'checked',
    isVerified: true,
    facts: { scheme: 'ECDSA', digest, keyBits, isWeak: false },
  })
})

test.each([
  ['1.3.101.112', 'ed25519', 'Ed25519'],
  ['1.3.101.113', 'ed448', 'Ed448'],
] as const)('EdDSA %s', (id, type, scheme) => {
  const { publicKey, privateKey } =
    type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ed448')
  expect(check(algorithm(id), publicKey, sign(null, signed, privateKey))).toMatchObject({
    isVerified: true,
    facts: { scheme, digest: undefined, isWeak: false },
  })
})

test('a key of another algorithm does not verify', () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const signature = sign('sha256', signed, rsa.privateKey)
  expect(check(algorithm('1.2.840.113549.1.1.11'), publicKey, signature)).toMatchObject({
    kind: 'checked',
    isVerified: false,
  })
})

test('signature algorithm: an unknown one is reported as unknown', () => {
  const signature = sign('sha256', signed, rsa.privateKey)
  expect(check(algorithm('1.2.3.4'), rsa.publicKey, signature)).toEqual({
    kind: 'unsupported',
    oid: '1.2.3.4',
  })
  const id = algorithm('1.2.840.113549.1.1.11')
  const noKey = { algorithm: id, spki: sequence(), signed, signature }
  expect(checkSignature(noKey).kind).toBe('unsupported')
})

describe('a key of which a signature takes long to check is not checked:', () => {
  const PKCS1 = '1.2.840.113549.1.1.11'
  const signature = new Uint8Array(1024).fill(1)

  test.each([
    ['a long modulus', MOST_RSA_BITS + 8, 24],
    ['a very long modulus', 65_536, 24],
    ['a long exponent', 2048, MOST_EXPONENT_BITS + 8],
  ])('%s', (_, bits, exponentBits) => {
    const key = rsaKeyOf(bits, exponentBits)
    expect(check(algorithm(PKCS1), key, signature)).toEqual({ kind: 'unsupported-key' })
  })

  test('a curve over a binary field', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'sect571r1' })
    const own = sign('sha512', signed, privateKey)
    const answer = check(algorithm('1.2.840.10045.4.3.4'), publicKey, own)
    expect(answer).toEqual({ kind: 'unsupported-key' })
  })

  test('but the longest that is, is', () => {
    const key = rsaKeyOf(MOST_RSA_BITS, MOST_EXPONENT_BITS)
    expect(check(algorithm(PKCS1), key, signature)).toMatchObject({
      kind: 'checked',
      isVerified: false,
      facts: { keyBits: MOST_RSA_BITS },
    })
  })
})

describe('keys that were read before', () => {
  const rsaSha256 = algorithm('1.2.840.113549.1.1.11', nullValue())

  test('a key that differs in one byte does not check for the known one', () => {
    const signature = sign('sha256', signed, rsa.privateKey)
    const spki = new Uint8Array(spkiOf(rsa.publicKey))
    const checkWith = (key: Uint8Array) =>
      checkSignature({ algorithm: rsaSha256, spki: key, signed, signature })
    expect(checkWith(spki)).toMatchObject({ isVerified: true })
    const other = spki.slice()
    other[100] = (other[100] ?? 0) ^ 1
    expect(checkWith(other)).toMatchObject({ kind: 'checked', isVerified: false })
    expect(checkWith(spki.slice())).toMatchObject({ isVerified: true })
  })

  test('one that takes too long to check stays so', () => {
    const long = new Uint8Array(spkiOf(rsaKeyOf(MOST_RSA_BITS + 8, 24)))
    expect(checkableKey(long)).toBeUndefined()
    expect(checkableKey(long.slice())).toBeUndefined()
  })
})
