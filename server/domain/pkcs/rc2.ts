/*
 * RC2 is broken and no longer used to encrypt; but for twenty years it encrypted the certificates (not the
 * keys) of PKCS#12 files, and no platform opens it now. Only decryption is here.
 */

/** The permutation of RFC 2268, 2. */
const PI_TABLE = Uint8Array.from(
  (
    'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2' +
    '179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82' +
    '54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7' +
    '08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec' +
    'c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9' +
    '0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad'
  ).match(/../g) ?? [],
  (pair) => Number.parseInt(pair, 16),
)

/** How far each word of a block was rotated to the left. */
const ROTATIONS = [1, 2, 3, 5]
/** After the rounds of these numbers came a mashing round. */
const MASHED = new Set([4, 10])

/**
 * What was encrypted by RC2 in CBC mode with as many effective bits as the key has, or undefined when the
 * padding says that the key is wrong.
 *
 * @param iv 8 bytes
 * @see RFC 2268
 */
export function decryptRc2(
  key: Uint8Array,
  iv: Uint8Array,
  encrypted: Uint8Array,
): Uint8Array<ArrayBuffer> | undefined {
  if (encrypted.length === 0 || encrypted.length % 8 !== 0) return undefined
  const words = expandedKey(key)
  const plain = new Uint8Array(encrypted.length)
  let before = iv
  for (let at = 0; at < encrypted.length; at += 8) {
    const block = encrypted.subarray(at, at + 8)
    plain.set(
      decryptedBlock(block, words).map((octet, index) => octet ^ (before[index] ?? 0)),
      at,
    )
    before = block
  }
  return withoutPadding(plain)
}

/** 64 words of 16 bits. @see RFC 2268, 2 */
function expandedKey(key: Uint8Array): Uint16Array {
  const octets = new Uint8Array(128)
  octets.set(key)
  const pi = (index: number) => PI_TABLE[index & 0xff] ?? 0
  const at = (index: number) => octets[index] ?? 0
  for (let index = key.length; index < 128; index++)
    octets[index] = pi(at(index - 1) + at(index - key.length))
  octets[128 - key.length] = pi(at(128 - key.length))
  for (let index = 127 - key.length; index >= 0; index--)
    octets[index] = pi(at(index + 1) ^ at(index + key.length))
  return Uint16Array.from({ length: 64 }, (_, index) => at(2 * index) | (at(2 * index + 1) << 8))
}

/** @see RFC 2268, 4 */
function decryptedBlock(block: Uint8Array, words: Uint16Array): Uint8Array {
  const state = Uint16Array.from(
    [0, 2, 4, 6],
    (at) => (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8),
  )
  const word = (index: number) => state[index & 3] ?? 0
  for (let round = 15; round >= 0; round--) {
    for (let index = 3; index >= 0; index--) {
      const shift = ROTATIONS[index] ?? 0
      const turned = (word(index) >> shift) | (word(index) << (16 - shift))
      const mixed = (word(index + 3) & word(index + 2)) + (~word(index + 3) & word(index + 1))
      state[index] = turned - (words[4 * round + index] ?? 0) - mixed
    }
    if (MASHED.has(round - 1))
      for (let index = 3; index >= 0; index--)
        state[index] = word(index) - (words[word(index + 3) & 63] ?? 0)
  }
  return Uint8Array.from({ length: 8 }, (_, at) => (word(at >> 1) >> (8 * (at & 1))) & 0xff)
}

function withoutPadding(padded: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  const count = padded[padded.length - 1] ?? 0
  const length = padded.length - count
  const isPadding = count >= 1 && count <= 8 && length >= 0
  if (!isPadding || padded.subarray(length).some((octet) => octet !== count)) return undefined
  return padded.slice(0, length)
}
