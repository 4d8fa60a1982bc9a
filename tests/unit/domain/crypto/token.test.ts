import { expect, test } from 'vitest'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { hashOfToken, Token, tokenFrom } from '#server/domain/crypto/token.ts'

test('a token is its random bytes in base64url', () => {
  const token = tokenFrom(new Uint8Array(32).fill(0xff))
  expect(token).toBe('__________________________________________8')
  expect(Token.safeParse(token).success).toBe(true)
})

test('too little randomness is refused', () => {
  expect(() => tokenFrom(new Uint8Array(16))).toThrow(RangeError)
})

// FIPS 180-2, appendix B.1
test('SHA-256 of "abc"', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('token: only its hash is stored', () => {
  const token = tokenFrom(new Uint8Array(32))
  expect(hashOfToken(token)).toBe(sha256(token))
})
