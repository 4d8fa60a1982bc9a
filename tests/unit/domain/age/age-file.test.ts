import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ageOpener, ageSealer, RANDOM_BYTES } from '#server/domain/age/age-file.ts'
import { BadHeader, isAuthentic, readHeader, writeHeader } from '#server/domain/age/header.ts'
import {
  identityText,
  readIdentity,
  readRecipient,
  recipientOf,
  recipientText,
} from '#server/domain/age/keys.ts'
import { wrapFileKey } from '#server/domain/age/x25519-stanza.ts'
import { concatBytes } from '#server/domain/bytes.ts'

/* The key of the specification: https://c2sp.org/age, "The X25519 recipient type" */
const IDENTITY = 'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX'
const RECIPIENT = 'age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj'
const identity = readIdentity(IDENTITY)!
const recipient = readRecipient(RECIPIENT)!
const text = (words: string) => new TextEncoder().encode(words)

function sealed(plain: Uint8Array): Uint8Array {
  const { start, chunks } = ageSealer(recipient, randomBytes(RANDOM_BYTES))
  return concatBytes(start, ...chunks.update(plain), chunks.final())
}

function opened(file: Uint8Array, ...identities: Uint8Array[]): Uint8Array | 'not-ours' {
  const found = ageOpener(file, identities)
  if (found === 'not-ours') return found
  return concatBytes(...found.chunks.update(file.subarray(found.start)), found.chunks.final())
}

test('keys: the recipient of the specification belongs to its identity', () => {
  expect(recipientText(recipientOf(identity))).toBe(RECIPIENT)
  expect(identityText(identity)).toBe(IDENTITY)
})

test.each([
  ['an identity', IDENTITY],
  ['a shorter key', RECIPIENT.slice(0, -1)],
  ['a recipient of another kind', 'age1pq1qqqqqq'],
  ['nothing', ''],
])('recipient: %s is refused', (_, words) => {
  expect(readRecipient(words)).toBeUndefined()
})

test('file: opens with its identity, also when others are tried before', () => {
  const file = sealed(text('hola'))
  expect(opened(file, randomBytes(32), identity)).toEqual(text('hola'))
  expect(opened(file, randomBytes(32))).toBe('not-ours')
})

test('file: no two of the same bytes are equal', () => {
  expect(sealed(text('hola'))).not.toEqual(sealed(text('hola')))
})

test('header: a change of any byte is found', () => {
  const file = sealed(text('hola'))
  const { length } = readHeader(file)
  for (let at = 0; at < length; at++) {
    const changed = Uint8Array.from(file)
    changed[at] = (changed[at] ?? 0) ^ 1
    const outcome = () => {
      const result = opened(changed, identity)
      if (result === 'not-ours') throw new BadHeader('not ours')
    }
    expect(outcome, `byte ${at}`).toThrow(BadHeader)
  }
})

test('header: one that does not end within its limit is refused, and quickly', () => {
  const endless = text(`age-encryption.org/v1\n${'-> a\nAAAA\n'.repeat(100_000)}`)
  const start = performance.now()
  expect(() => readHeader(endless)).toThrow(BadHeader)
  expect(performance.now() - start).toBeLessThan(1_000)
})

test('header: several stanzas, of which one is of a kind that we do not know', () => {
  const fileKey = randomBytes(16)
  const unknown = { words: ['piv-p256', 'abc'], body: new Uint8Array(48) }
  const ours = wrapFileKey(recipient, fileKey, randomBytes(32))
  const header = readHeader(writeHeader([unknown, ours], fileKey))
  expect(header.stanzas).toEqual([unknown, ours])
  expect(isAuthentic(header, fileKey)).toBe(true)
  expect(isAuthentic(header, randomBytes(16))).toBe(false)
})

test('recipient of low order: nothing is encrypted to it', () => {
  expect(() => ageSealer(new Uint8Array(32), randomBytes(RANDOM_BYTES))).toThrow(RangeError)
})
