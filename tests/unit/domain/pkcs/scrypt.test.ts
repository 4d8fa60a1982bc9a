import { createHash, randomBytes, scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { md5 } from '#server/domain/pkcs/md5.ts'
import { isAffordable, scrypt } from '#server/domain/pkcs/scrypt.ts'

// RFC 7914, 12. The first and the last of its four examples are outside of what WebCrypto or our bounds allow.
test.each([
  {
    password: 'password',
    salt: 'NaCl',
    cost: 1024,
    blockSize: 8,
    parallelization: 16,
    key: 'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
  },
  {
    password: 'pleaseletmein',
    salt: 'SodiumChloride',
    cost: 16384,
    blockSize: 8,
    parallelization: 1,
    key: '7023bdcb3afd7348461c06cd81fd38eb',
  },
])('scrypt derives the key of RFC 7914 for $password', async ({ password, salt, key, ...rest }) => {
  const parameters = { salt: Buffer.from(salt), ...rest }
  const derived = await scrypt(await imported(password), parameters, key.length / 2)
  expect(Buffer.from(derived).toString('hex')).toBe(key)
})

test.each([
  [2, 1, 1],
  [16, 3, 2],
  [256, 8, 5],
])(
  'scrypt derives what OpenSSL does for N %i, r %i, p %i',
  async (cost, blockSize, parallelization) => {
    const salt = randomBytes(16)
    const parameters = { salt, cost, blockSize, parallelization }
    const expected = scryptSync('contraseña', salt, 40, { cost, blockSize, parallelization })
    const derived = await scrypt(await imported('contraseña'), parameters, 40)
    expect(Buffer.from(derived)).toEqual(expected)
  },
)

const imported = (password: string) =>
  crypto.subtle.importKey('raw', Buffer.from(password), 'PBKDF2', false, ['deriveBits'])

test.each([
  [16384, 8, 1, true],
  [65536, 8, 2, true],
  [65536, 8, 3, false],
  [131072, 8, 1, false],
  [2 ** 30, 1, 1, false],
  [3, 8, 1, false],
  [1, 8, 1, false],
  [1024, 0, 1, false],
  [1024, 8, 0, false],
])('scrypt with N %i, r %i, p %i: affordable is %s', (cost, blockSize, parallelization, is) => {
  const salt = new Uint8Array(8)
  expect(isAffordable({ salt, cost, blockSize, parallelization })).toBe(is)
})

test('MD5 is that of OpenSSL for every length of a block', () => {
  for (let length = 0; length <= 130; length++) {
    const message = randomBytes(length)
    expect(Buffer.from(md5(message))).toEqual(createHash('md5').update(message).digest())
  }
})
