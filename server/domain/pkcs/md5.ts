import type { Bytes } from '#server/domain/asn1/der-writer.ts'

const SHIFTS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
]

/**
 * MD5, which WebCrypto does not have. Only the encryption of old PEM files uses it, to derive a key from a password.
 *
 * @see RFC 1321
 */
export function md5(message: Uint8Array): Bytes {
  const length = 64 * Math.ceil((message.length + 9) / 64)
  const padded = new Uint8Array(length)
  padded.set(message)
  padded[message.length] = 0x80
  const words = new DataView(padded.buffer)
  words.setUint32(length - 8, message.length << 3, true)
  words.setUint32(length - 4, Math.floor(message.length / 2 ** 29), true)
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
  for (let at = 0; at < length; at += 64) addBlock(state, new DataView(padded.buffer, at, 64))
  padded.fill(0)
  const digest = new DataView(new ArrayBuffer(16))
  state.forEach((word, at) => {
    digest.setUint32(4 * at, word, true)
  })
  return new Uint8Array(digest.buffer)
}

function addBlock(state: Uint32Array, block: DataView): void {
  let [a = 0, b = 0, c = 0, d = 0] = state
  for (let step = 0; step < 64; step++) {
    const round = step >> 4
    const { mixed, word } = choice(round, step, b, c, d)
    const constant = Math.floor(2 ** 32 * Math.abs(Math.sin(step + 1)))
    const sum = (a + mixed + constant + block.getUint32(4 * word, true)) | 0
    const bits = SHIFTS[round]?.[step & 3] ?? 0
    ;[a, d, c, b] = [d, c, b, (b + ((sum << bits) | (sum >>> (32 - bits)))) | 0]
  }
  const added = [a, b, c, d]
  for (const [at, word] of added.entries()) state[at] = (state[at] ?? 0) + word
}

/** The function of the round, and which word of the block is added. */
function choice(round: number, step: number, b: number, c: number, d: number) {
  if (round === 0) return { mixed: (b & c) | (~b & d), word: step }
  if (round === 1) return { mixed: (d & b) | (~d & c), word: (5 * step + 1) & 15 }
  if (round === 2) return { mixed: b ^ c ^ d, word: (3 * step + 5) & 15 }
  return { mixed: c ^ (b | ~d), word: (7 * step) & 15 }
}
