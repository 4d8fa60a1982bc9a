import { expect, test } from 'vitest'
import {
  formatVerifierKey,
  fromBase64,
  noteKey,
  openNote,
  parseVerifierKey,
  signNote,
} from '#server/domain/audit/signed-note.ts'

// The note and the keys of golang.org/x/mod/sumdb/note, where the form comes from.
const SEED = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1)
const VERIFIER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const TEXT =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
const SIGNATURE =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n'
const NOTE = `${TEXT}\n${SIGNATURE}`

const peter = noteKey(SEED, () => 'PeterNeumann')
const ana = noteKey(new Uint8Array(32).fill(1), () => 'ana.example/bitacora')

test('a note of others is signed and opened', () => {
  expect(formatVerifierKey(peter.verifier)).toBe(VERIFIER)
  expect(signNote(TEXT, peter)).toBe(NOTE)
  expect(openNote(NOTE, [parseVerifierKey(VERIFIER)!])).toBe(TEXT)
})

test('the last empty line parts the text from the signatures', () => {
  const text = 'one\n\ntwo\n'
  expect(openNote(signNote(text, ana), [ana.verifier])).toBe(text)
})

test('signatures of others are passed over, and a wrong one of a known key spoils the note', () => {
  const other = signNote(TEXT, ana).slice(TEXT.length + 1)
  const both = NOTE + other
  expect(openNote(both, [peter.verifier])).toBe(TEXT)
  expect(openNote(both, [peter.verifier, ana.verifier])).toBe(TEXT)
  const wrong = NOTE + signNote('other\n', ana).slice('other\n\n'.length)
  expect(openNote(wrong, [peter.verifier])).toBe(TEXT)
  expect(openNote(wrong, [peter.verifier, ana.verifier])).toBeUndefined()
})

test('a signature of another kind is passed over if it has a key id and one byte more', () => {
  const withSignature = (bytes: number) =>
    `${NOTE}— other ${Buffer.alloc(bytes).toString('base64')}\n`
  expect(openNote(withSignature(5), [peter.verifier])).toBe(TEXT)
  expect(openNote(withSignature(4), [peter.verifier])).toBeUndefined()
})

test('a note has at most 100,000 characters', () => {
  const signatureAlone = signNote('\n', ana).length - 1
  const noteOf = (length: number) => signNote(`${'a'.repeat(length - signatureAlone - 1)}\n`, ana)
  expect(noteOf(100_000)).toHaveLength(100_000)
  expect(openNote(noteOf(100_000), [ana.verifier])).toBeDefined()
  expect(openNote(noteOf(100_001), [ana.verifier])).toBeUndefined()
})

test('base64: nothing, and what is written otherwise than it would be, is refused', () => {
  expect(fromBase64('YWI=')).toEqual(Buffer.from('ab'))
  for (const text of ['', 'YWI', 'YWJ=', 'YW I=', 'YWI=\n'])
    expect(fromBase64(text)).toBeUndefined()
})

test('no bit of a note can be changed', () => {
  const bytes = new TextEncoder().encode(NOTE)
  const opened = Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const changed = bytes.slice()
    changed[bit >> 3]! ^= 1 << (bit & 7)
    return openNote(new TextDecoder().decode(changed), [peter.verifier])
  })
  expect(opened.filter((text) => text !== undefined)).toEqual([])
})

test.each([
  ['nothing', ''],
  ['no signature', TEXT],
  ['an empty line and no signature', `${TEXT}\n`],
  ['no text', `\n${SIGNATURE}`],
  ['no end', NOTE.slice(0, -1)],
  ['a name alone', `${TEXT}\n— PeterNeumann\n`],
  ['another dash', NOTE.replace('—', '-')],
  ['a control character', NOTE.replace('think', 'th\tnk')],
  ['an unknown signer alone', signNote(TEXT, ana)],
  ['too much', `${'a'.repeat(200_000)}\n${NOTE}`],
])('%s is no note of a known key', (_, note) => {
  expect(openNote(note, [peter.verifier])).toBeUndefined()
})

test.each([
  ['nothing', ''],
  ['a wrong id', VERIFIER.replace('c74f20a3', 'c74f20a4')],
  ['another name', VERIFIER.replace('Peter', 'Pedro')],
  ['another kind of key', VERIFIER.replace('+AR', '+Ah')],
  ['a key that is cut off', VERIFIER.slice(0, -4)],
])('%s is no verifier key', (_, text) => {
  expect(parseVerifierKey(text)).toBeUndefined()
})

test('half a seed, a name with a space, half a line and control characters are refused', () => {
  expect(() => noteKey(new Uint8Array(16), () => 'a')).toThrow(RangeError)
  expect(() => noteKey(new Uint8Array(32), () => 'a b')).toThrow(RangeError)
  expect(() => signNote('half a line', ana)).toThrow(RangeError)
  // In a note that is opened, the signature would be wrong, too.
  expect(() => signNote('a control\tcharacter\n', ana)).toThrow(RangeError)
})
