import { createCipheriv, generateKeyPairSync, pbkdf2Sync, randomBytes, verify } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { integer, nullValue, octetString, oid, sequence } from '#server/domain/asn1/der-writer.ts'
import { fromHex } from '#server/domain/bytes.ts'
import { matchesCertificate, openPrivateKey, signWith } from '#server/domain/pkcs/private-key.ts'
import { inspectPrivateKeyFile } from '#server/domain/pkcs/private-key-file.ts'
import { decryptTripleDes } from '#server/domain/pkcs/triple-des.ts'
import { TEST_PASSWORD, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { wrappedByOpenssl } from '#tests/support/keys/openssl-keys.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
}, 60_000)

async function opened(file: Uint8Array, password = TEST_PASSWORD) {
  const outcome = await openPrivateKey(file, password)
  if (outcome.kind !== 'opened') throw new Error(outcome.kind)
  return outcome.opened
}

test('the key of an e.firma makes signatures that its certificate verifies, and is not exposed', async () => {
  const own = await opened(efirma.key)
  const bytes = Buffer.from('escritura 4521')
  const signature = await signWith(own, bytes)
  expect(verify('sha256', bytes, efirma.keyPair.publicKey, signature)).toBe(true)
  expect(matchesCertificate(own, efirma.certificate)).toBe(true)
  expect(own.key.extractable).toBe(false)
  expect(own.key.usages).toEqual(['sign'])
})

test('the key of another e.firma does not match', async () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { certificate } = await testEfirma({ keyPair: other })
  expect(matchesCertificate(await opened(efirma.key), certificate)).toBe(false)
})

test.each(['aes-128-cbc', 'aes-192-cbc', 'aes-256-cbc', 'des-ede3-cbc'])(
  'a key that other programs encrypted by %s opens',
  async (cipher) => {
    const { privateKey } = efirma.keyPair
    const options = { type: 'pkcs8', cipher, passphrase: TEST_PASSWORD } as const
    expect(await opened(privateKey.export({ ...options, format: 'der' }))).toBeDefined()
    const pem = Buffer.from(privateKey.export({ ...options, format: 'pem' }))
    expect(matchesCertificate(await opened(pem), efirma.certificate)).toBe(true)
  },
)

test.each([
  ['PBE-SHA1-3DES', ['-v1', 'PBE-SHA1-3DES']],
  ['PBE-SHA1-2DES', ['-v1', 'PBE-SHA1-2DES']],
  ['scrypt', ['-scrypt']],
  ['scrypt with other parameters', ['-scrypt', '-scrypt_N', '8192', '-scrypt_p', '3']],
])('a key that OpenSSL encrypted by %s opens', async (_, options) => {
  for (const format of ['DER', 'PEM']) {
    const file = encryptedByOpenssl(['pkcs8', '-topk8', ...options, '-outform', format])
    expect(matchesCertificate(await opened(file), efirma.certificate)).toBe(true)
    expect(await openPrivateKey(file, 'otra')).toEqual({ kind: 'wrong-password' })
  }
})

test.each(['aes-128-cbc', 'aes-192-cbc', 'aes-256-cbc', 'des-ede3-cbc'])(
  'an old PEM file (PKCS #1) that was encrypted by %s opens',
  async (cipher) => {
    const file = oldPem(cipher)
    expect(file.toString()).toContain('Proc-Type: 4,ENCRYPTED')
    expect(matchesCertificate(await opened(file), efirma.certificate)).toBe(true)
    const windows = Buffer.from(file.toString().replaceAll('\n', '\r\n'))
    expect(matchesCertificate(await opened(windows), efirma.certificate)).toBe(true)
    for (let attempt = 0; attempt < 300; attempt++)
      expect(await openPrivateKey(file, `otra-${attempt}`)).toEqual({ kind: 'wrong-password' })
  },
)

test('an old PEM file that OpenSSL wrote opens', async () => {
  const file = encryptedByOpenssl(['rsa', '-traditional', '-aes256'])
  expect(matchesCertificate(await opened(file), efirma.certificate)).toBe(true)
})

const encryptedByOpenssl = (args: readonly string[]) =>
  wrappedByOpenssl(efirma.keyPair.privateKey, TEST_PASSWORD, args)

const oldPem = (cipher: string) =>
  Buffer.from(
    efirma.keyPair.privateKey.export({
      ...{ type: 'pkcs1', format: 'pem', cipher, passphrase: TEST_PASSWORD },
    } as const),
  )

test.each([
  ['1.2.840.113549.2.9', 'sha256'],
  ['1.2.840.113549.2.11', 'sha512'],
])('a key derived by HMAC %s opens', async (prf, digest) => {
  const plain = efirma.keyPair.privateKey.export({ type: 'pkcs8', format: 'der' })
  expect(await opened(protect(plain, { prf, digest }))).toBeDefined()
})

/** An EncryptedPrivateKeyInfo around any bytes; `padded` are encrypted as they are. */
function protect(
  plain: Uint8Array,
  options: { prf?: string; digest?: string; padded?: boolean; iterations?: number } = {},
): Uint8Array {
  const { prf, digest = 'sha1', iterations = 10 } = options
  const [salt, iv] = [randomBytes(8), randomBytes(16)]
  const key = pbkdf2Sync(TEST_PASSWORD, salt, Math.min(iterations, 10), 32, digest)
  const cipher = createCipheriv('aes-256-cbc', key, iv).setAutoPadding(!options.padded)
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
  const hmac = prf ? [sequence(oid(prf), nullValue())] : []
  const pbkdf2 = sequence(octetString(salt), integer(iterations), ...hmac)
  const derivation = sequence(oid('1.2.840.113549.1.5.12'), pbkdf2)
  const scheme = sequence(oid('2.16.840.1.101.3.4.1.42'), octetString(iv))
  const algorithm = sequence(oid('1.2.840.113549.1.5.13'), sequence(derivation, scheme))
  return sequence(algorithm, octetString(encrypted))
}

describe('a wrong password', () => {
  test('is reported for each of hundreds of wrong passwords', async () => {
    const outcomes = new Set<string>()
    for (let attempt = 0; attempt < 400; attempt++)
      outcomes.add((await openPrivateKey(efirma.key, `otra-${attempt}`)).kind)
    expect([...outcomes]).toEqual(['wrong-password'])
  }, 30_000)

  test('is called so when the decrypted padding is right by chance', async () => {
    let byChance: string | undefined
    const { salt, iv, encrypted } = parametersOf(efirma.key)
    for (let attempt = 0; byChance === undefined; attempt++) {
      const key = pbkdf2Sync(`azar-${attempt}`, salt, 2048, 24, 'sha1')
      if (decryptTripleDes(key, iv, encrypted)) byChance = `azar-${attempt}`
    }
    expect(await openPrivateKey(efirma.key, byChance)).toEqual({ kind: 'wrong-password' })
  }, 30_000)

  test.each([
    ['nothing', () => new Uint8Array(0)],
    ['noise', () => randomBytes(64)],
    ['a SEQUENCE of noise', () => sequence(octetString(randomBytes(40)))],
    ['a key of another kind', () => ecKey()],
    ['an RSA key that is none', () => rsaShape(integer(0), integer(5), integer(3))],
    ['an RSA key whose numbers do not fit', () => damagedKey()],
  ])('is called so when the padding is right and the content is %s', async (_, plain) => {
    const outcome = await openPrivateKey(protect(plain()), TEST_PASSWORD)
    expect(outcome).toEqual({ kind: 'wrong-password' })
  })

  test('may be empty', async () => {
    expect(await openPrivateKey(efirma.key, '')).toEqual({ kind: 'wrong-password' })
  })

  function parametersOf(file: Uint8Array) {
    const found = inspectPrivateKeyFile(file)
    if (found.kind !== 'encrypted') throw new Error(found.kind)
    if (found.key.kind !== 'PKCS#8' || found.key.scheme.kind !== 'PBES2')
      throw new Error('not PBES2')
    const { iv, derivation } = found.key.scheme
    return { salt: derivation.salt, iv, encrypted: found.key.encrypted }
  }
})

const ecKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'der',
  })

const rsaShape = (...numbers: Uint8Array[]) =>
  sequence(
    integer(0),
    sequence(oid('1.2.840.113549.1.1.1'), nullValue()),
    octetString(sequence(...numbers)),
  )

function damagedKey() {
  const plain = efirma.keyPair.privateKey.export({ type: 'pkcs8', format: 'der' })
  // Both ways to compute with it: the private exponent and the primes.
  plain[400] = (plain[400] ?? 0) ^ 0xff
  plain[plain.length - 200] = (plain[plain.length - 200] ?? 0) ^ 0xff
  return plain
}

const pem = (label: string, body = 'AAAA') =>
  Buffer.from(`-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`)

test.each([
  ['an empty file', () => new Uint8Array(0), 'empty-file'],
  ['a certificate', () => efirma.cer, 'is-a-certificate'],
  ['a certificate in PEM', () => pem('CERTIFICATE'), 'is-a-certificate'],
  ['a PDF', () => Buffer.from('%PDF-1.7\n'), 'is-a-pdf'],
  ['noise', () => Buffer.from('no es una clave'), 'not-a-private-key'],
  ['another structure', () => sequence(integer(3), integer(4)), 'not-a-private-key'],
  ['PKCS #8 in the clear', () => clear('pkcs8'), 'unprotected-key'],
  ['PKCS #1 in the clear', () => clear('pkcs1'), 'unprotected-key'],
  ['SEC 1 in the clear', () => sec1(), 'unprotected-key'],
  ['PEM in the clear', () => pem('PRIVATE KEY'), 'unprotected-key'],
  [
    'old PEM without its cipher',
    () => pem('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED'),
    'unsupported-encryption',
  ],
  [
    'old PEM with another cipher',
    () => Buffer.from(oldPem('aes-128-cbc').toString().replace('AES-128-CBC', 'CAMELLIA-128-CBC')),
    'unsupported-encryption',
  ],
  ['PBES1', () => pbes1(), 'unsupported-encryption'],
  [
    'endless derivation',
    () => protect(randomBytes(9), { iterations: 2e9 }),
    'unsupported-encryption',
  ],
  [
    'derivation above the limit',
    () => protect(randomBytes(9), { iterations: 2_000_001 }),
    'unsupported-encryption',
  ],
  ['scrypt for more memory than allowed', () => byScrypt(65536, 16), 'unsupported-encryption'],
  ['scrypt for more time than allowed', () => byScrypt(65536, 8, 3), 'unsupported-encryption'],
  ['scrypt with a cost of no power of two', () => byScrypt(16383, 8), 'unsupported-encryption'],
  ['scrypt without a cost', () => byScrypt(0, 8), 'unsupported-encryption'],
  ['scrypt for a negative time', () => byScrypt(16384, 8, -1), 'not-a-private-key'],
  ['PKCS #12 derivation that takes too long', () => pbe(300_000), 'unsupported-encryption'],
] as const)('%s is %s', async (_, file, kind) => {
  expect(await openPrivateKey(file(), TEST_PASSWORD)).toEqual({ kind })
})

const clear = (type: 'pkcs8' | 'pkcs1') => efirma.keyPair.privateKey.export({ type, format: 'der' })

const sec1 = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'sec1',
    format: 'der',
  })

/** The shape of a key that scrypt protects; nothing was encrypted. */
function byScrypt(cost: number, blockSize: number, parallelization = 1) {
  const numbers = [cost, blockSize, parallelization].map(signedInteger)
  const scrypt = sequence(
    oid('1.3.6.1.4.1.11591.4.11'),
    sequence(octetString(randomBytes(16)), ...numbers),
  )
  const aes = sequence(oid('2.16.840.1.101.3.4.1.42'), octetString(randomBytes(16)))
  const algorithm = sequence(oid('1.2.840.113549.1.5.13'), sequence(scrypt, aes))
  return sequence(algorithm, octetString(randomBytes(64)))
}

const signedInteger = (value: number) =>
  value < 0 ? Uint8Array.of(2, 1, 256 + value) : integer(value)

/** pbeWithSHAAnd3-KeyTripleDES-CBC */
const pbe = (iterations: number) =>
  sequence(
    sequence(
      oid('1.2.840.113549.1.12.1.3'),
      sequence(octetString(randomBytes(8)), integer(iterations)),
    ),
    octetString(randomBytes(64)),
  )

/** pbeWithMD5AndDES-CBC */
const pbes1 = () =>
  sequence(
    sequence(oid('1.2.840.113549.1.5.3'), sequence(octetString(randomBytes(8)), integer(2048))),
    octetString(randomBytes(64)),
  )

test('no change of one octet throws', async () => {
  for (let at = 0; at < 120; at++) {
    const mutant = efirma.key.slice()
    mutant[at] = (mutant[at] ?? 0) ^ 0x11
    expect((await openPrivateKey(mutant, TEST_PASSWORD)).kind).not.toBe('opened')
  }
})

// NIST SP 800-67, the example of SP 800-20 for three keys; one block and its padding.
test('three-key DES decrypts data that OpenSSL encrypted', () => {
  const key = fromHex('0123456789abcdef23456789abcdef01456789abcdef0123')
  const iv = fromHex('f69f2445df4f9b17')
  for (const length of [0, 1, 7, 8, 9, 64]) {
    const plain = randomBytes(length)
    const cipher = createCipheriv('des-ede3-cbc', key, iv)
    const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
    expect(Buffer.from(decryptTripleDes(key, iv, encrypted) ?? [1])).toEqual(plain)
  }
  expect(decryptTripleDes(key, iv, new Uint8Array(7))).toBeUndefined()
})
