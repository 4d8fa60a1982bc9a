import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { successorOf, tokensOf } from '#server/domain/crypto/session-tokens.ts'
import { tokenFrom } from '#server/domain/crypto/token.ts'
import { MORNING } from '#tests/support/builders.ts'

const key = new Uint8Array(32).fill(8)
const first = tokenFrom(new Uint8Array(32).fill(1))

test('a refresh token always yields the same tokens and the same successor', () => {
  const tokens = tokensOf(key, first, MORNING)
  expect(tokens).toEqual(tokensOf(key, first, MORNING))
  expect(tokens.refresh).toBe(first)
  const next = successorOf(key, first, 1, MORNING)
  expect(next).toEqual(successorOf(key, first, 1, MORNING))
  expect(successorOf(key, next.refresh, 1, MORNING)).toEqual(successorOf(key, first, 2, MORNING))
  expect(successorOf(key, first, 0, MORNING)).toEqual(tokens)
})

test('they are HMAC-SHA-256 under the key, each for its purpose', () => {
  const mac = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  expect(tokensOf(key, first, MORNING).access).toBe(mac(`access!${first}`))
  expect(successorOf(key, first, 1, MORNING).refresh).toBe(mac(`refresh!${first}`))
})

test('a hundred generations, and another key, have nothing in common', () => {
  const seen = new Set<string>()
  for (let steps = 0; steps < 100; steps++)
    for (const tokens of [
      successorOf(key, first, steps, MORNING),
      successorOf(new Uint8Array(32).fill(9), first, steps + 1, MORNING),
    ]) {
      seen.add(tokens.access)
      seen.add(tokens.refresh)
    }
  expect(seen.size).toBe(400)
})
