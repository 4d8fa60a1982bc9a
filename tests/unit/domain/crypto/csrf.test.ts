import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { isCsrfTokenOf, makeCsrfToken } from '#server/domain/crypto/csrf.ts'

const key = createSecretKey(new Uint8Array(32).fill(1))
const token = makeCsrfToken(key, 'session-a', new Uint8Array(16).fill(2))

test('a token holds for its bearer', () => {
  expect(isCsrfTokenOf(key, 'session-a', token)).toBe(true)
})

test('the same bearer gets tokens that look different', () => {
  expect(makeCsrfToken(key, 'session-a', new Uint8Array(16).fill(3))).not.toBe(token)
})

test.each([
  ['another bearer', key, 'session-b', token],
  ['another key', createSecretKey(new Uint8Array(32).fill(9)), 'session-a', token],
  ['no token', key, 'session-a', ''],
  ['half a token', key, 'session-a', token.split('.')[0] ?? ''],
  ['a changed random part', key, 'session-a', changedAt(token, 0)],
  ['a changed code', key, 'session-a', changedAt(token, 30)],
  ['more behind it', key, 'session-a', `${token}A`],
])('%s is refused', (_, withKey, bearer, candidate) => {
  expect(isCsrfTokenOf(withKey, bearer, candidate)).toBe(false)
})

function changedAt(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
}
