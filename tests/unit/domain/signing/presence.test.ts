import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { DocumentId, Sha256, UserId } from '#server/domain/ids.ts'
import {
  canonicalList,
  digestOfList,
  endOfPresence,
  isPresentFor,
  presenceChallenge,
  readCanonicalList,
} from '#server/domain/signing/presence.ts'
import { after, minutes, seconds } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'

const SIGNER = UserId.parse('33333333-3333-4333-8333-333333333333')
const FIRST = {
  documentId: DocumentId.parse('11111111-1111-4111-8111-111111111111'),
  sha256: Sha256.parse('a'.repeat(64)),
}
const SECOND = {
  documentId: DocumentId.parse('22222222-2222-4222-8222-222222222222'),
  sha256: Sha256.parse('b'.repeat(64)),
}
const LIST = canonicalList([SECOND, FIRST, SECOND], SIGNER)

test('presence list: has one text, in any order of documents', () => {
  expect(new TextDecoder().decode(LIST)).toBe(
    `[{"document":"${FIRST.documentId}","sha256":"${FIRST.sha256}","signer":"${SIGNER}"},` +
      `{"document":"${SECOND.documentId}","sha256":"${SECOND.sha256}","signer":"${SIGNER}"}]`,
  )
  expect(LIST).toEqual(canonicalList([FIRST, SECOND], SIGNER))
  expect(readCanonicalList(LIST)).toHaveLength(2)
})

// Of `openssl dgst -sha256` over the same bytes.
test('the challenge is SHA-256 over the label, the nonce and the digest of the list', () => {
  const nonce = new Uint8Array(32).fill(7)
  expect(digestOfList(LIST)).toBe(
    '4c0f84ead0312ec46dbc629db22697030b84d3798ea5d949d22ff33731a9aaeb',
  )
  expect(presenceChallenge(nonce, LIST)).toBe('3auSNpvEMvZllg4rV9YRTvjVi6-VmE9lvEMw_yJCOl8')
  expect(() => presenceChallenge(nonce.subarray(1), LIST)).toThrow(RangeError)
})

test('presence list: only the exact canonical text is accepted', () => {
  const text = new TextDecoder().decode(LIST)
  const [one = '', other = ''] = text.slice(1, -1).split(/(?<=\}),/)
  for (const changed of [
    text.replace('[', '[ '),
    `\ufeff${text}`,
    `[${other},${one}]`,
    `[${one},${one}]`,
    text.replaceAll('"signer"', '"firmante"'),
    text.replace(SIGNER, randomUUID()),
    text.replace('"sha256":"a', '"sha256":"A'),
    '[]',
    '{}',
    '',
  ])
    expect([changed, readCanonicalList(new TextEncoder().encode(changed))]).toEqual([
      changed,
      undefined,
    ])
})

test('presence proof: allows its user to sign these versions for five minutes', () => {
  const proof = { userId: SIGNER, list: LIST, at: MORNING, expiresAt: endOfPresence(MORNING) }
  const other = UserId.parse(randomUUID())
  const changed = { ...FIRST, sha256: SECOND.sha256 }
  const unknown = { ...FIRST, documentId: DocumentId.parse(randomUUID()) }
  const last = after(MORNING, seconds(299))
  expect(isPresentFor(proof, SIGNER, [FIRST], MORNING)).toBe(true)
  expect(isPresentFor(proof, SIGNER, [SECOND, FIRST], last)).toBe(true)
  expect(isPresentFor(proof, SIGNER, [FIRST], after(MORNING, minutes(5)))).toBe(false)
  expect(isPresentFor(proof, SIGNER, [FIRST], after(MORNING, seconds(-1)))).toBe(false)
  expect(isPresentFor(proof, other, [FIRST], MORNING)).toBe(false)
  expect(isPresentFor(proof, SIGNER, [FIRST, unknown], MORNING)).toBe(false)
  expect(isPresentFor(proof, SIGNER, [changed], MORNING)).toBe(false)
  expect(isPresentFor(proof, SIGNER, [], MORNING)).toBe(false)
  // A row that claims to last longer does not.
  const long = { ...proof, expiresAt: after(MORNING, minutes(60)) }
  expect(isPresentFor(long, SIGNER, [FIRST], after(MORNING, minutes(6)))).toBe(false)
  // And one that lists another signer is none of this person.
  const theirs = { ...proof, list: canonicalList([FIRST], other) }
  expect(isPresentFor(theirs, SIGNER, [FIRST], MORNING)).toBe(false)
})
