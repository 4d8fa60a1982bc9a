import { expect, test } from 'vitest'
import { fromBech32, toBech32 } from '#server/domain/age/bech32.ts'

/* BIP 173, "Test vectors"; those that are too long only by its limit are valid here. */
const VALID = [
  'A12UEL5L',
  'a12uel5l',
  'an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs',
  'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw',
  'split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w',
  '?1ezyfcl',
]

const INVALID = [
  ['a letter outside of the set in front', '\x201nwldj5'],
  ['no separator', 'pzry9x0s0muk'],
  ['an empty prefix', '1pzry9x0s0muk'],
  ['a letter that bech32 does not have', 'x1b4n0q5v'],
  ['a checksum that is too short', 'li1dgmt3'],
  ['a checksum of another prefix', 'A1G7SGD8'],
  ['nothing but a separator', '1qzzfhee'],
  ['mixed case', 'A12uEL5L'],
] as const

test.each(VALID)('%s is read, and written as it was read', (text) => {
  const read = fromBech32(text)
  const isExact = (text.length - text.lastIndexOf('1') - 7) % 8 === 0
  // The others have bits after the last whole byte, which keys never have.
  if (read) expect(toBech32(read.prefix, read.bytes)).toBe(text.toLowerCase())
  else expect(isExact).toBe(false)
})

test.each(INVALID)('%s is refused', (_, text) => {
  expect(fromBech32(text)).toBeUndefined()
})

test('any changed letter is found', () => {
  const text = toBech32(
    'age',
    Uint8Array.from({ length: 32 }, (_, i) => i * 5),
  )
  expect(fromBech32(text)?.bytes).toHaveLength(32)
  for (let at = 0; at < text.length; at++) {
    const other = text[at] === 'q' ? 'p' : 'q'
    expect(fromBech32(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined()
  }
})
