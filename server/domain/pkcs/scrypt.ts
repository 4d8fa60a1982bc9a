import type { Bytes } from '#server/domain/asn1/der-writer.ts'

/** The parameters of scrypt, named as in RFC 7914: N, r and p. */
export type ScryptParameters = {
  salt: Uint8Array
  /** N, a power of two. */
  cost: number
  /** r: a block has 128 times as many bytes. */
  blockSize: number
  /** p */
  parallelization: number
}

/** The memory that is needed is 128 times this: 64 MiB. OpenSSL asks for a quarter of it. */
const MOST_BLOCKS = 1 << 19
/** OpenSSL asks for an eighth of it. It is about three seconds of a slow machine. */
const MOST_WORK = 1 << 20

/** Whether the parameters are valid and take no more memory and time than we grant a file that a stranger made. */
export function isAffordable({ cost, blockSize, parallelization }: ScryptParameters): boolean {
  const isPowerOfTwo = cost > 1 && cost <= MOST_BLOCKS && (cost & (cost - 1)) === 0
  return (
    isPowerOfTwo &&
    blockSize >= 1 &&
    parallelization >= 1 &&
    cost * blockSize <= MOST_BLOCKS &&
    cost * blockSize * parallelization <= MOST_WORK
  )
}

/**
 * A key of `length` bytes from a password. WebCrypto has PBKDF2 but not scrypt, so what is between its two calls is ours.
 *
 * @param parameters that `isAffordable` accepts
 * @see RFC 7914, 6
 */
export async function scrypt(
  password: CryptoKey,
  { salt, cost, blockSize, parallelization }: ScryptParameters,
  length: number,
): Promise<Bytes> {
  const blockBytes = 128 * blockSize
  const blocks = await pbkdf2(password, new Uint8Array(salt), parallelization * blockBytes)
  for (let at = 0; at < blocks.length; at += blockBytes)
    mix(new DataView(blocks.buffer, at, blockBytes), cost, blockSize)
  const derived = await pbkdf2(password, blocks, length)
  blocks.fill(0)
  return derived
}

async function pbkdf2(password: CryptoKey, salt: Bytes, length: number): Promise<Bytes> {
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', iterations: 1, salt }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, password, 8 * length))
}

/** scryptROMix, in place. */
function mix(block: DataView, cost: number, blockSize: number): void {
  const words = 32 * blockSize
  const state = Uint32Array.from({ length: words }, (_, at) => block.getUint32(4 * at, true))
  const scratch = new Uint32Array(words)
  const kept = new Uint32Array(words * cost)
  for (let turn = 0; turn < cost; turn++) {
    kept.set(state, turn * words)
    mixBlock(state, scratch)
  }
  for (let turn = 0; turn < cost; turn++) {
    const from = ((state[words - 16] ?? 0) & (cost - 1)) * words
    for (let at = 0; at < words; at++) state[at] = (state[at] ?? 0) ^ (kept[from + at] ?? 0)
    mixBlock(state, scratch)
  }
  state.forEach((word, at) => {
    block.setUint32(4 * at, word, true)
  })
  for (const secret of [state, scratch, kept]) secret.fill(0)
}

/** scryptBlockMix, in place. */
function mixBlock(state: Uint32Array, scratch: Uint32Array): void {
  const x = state.slice(-16)
  const half = state.length / 2
  for (let start = 0; start < state.length; start += 16) {
    for (let at = 0; at < 16; at++) x[at] = (x[at] ?? 0) ^ (state[start + at] ?? 0)
    salsa(x)
    scratch.set(x, (start % 32 === 0 ? 0 : half) + (start >> 5) * 16)
  }
  state.set(scratch)
}

/** The quarter rounds of a column round and a row round: target, two sources, bits of the rotation. */
const ROUNDS: readonly (readonly [number, number, number, number])[] = [
  ...[0, 5, 10, 15].flatMap((first) => quarters(first, 4)),
  ...[0, 5, 10, 15].flatMap((first) => quarters(first, 1)),
]

function quarters(first: number, step: 4 | 1): [number, number, number, number][] {
  const at = (turns: number) =>
    step === 4 ? (first + 4 * turns) % 16 : (first & 12) | ((first + turns) & 3)
  return [
    [at(1), at(0), at(3), 7],
    [at(2), at(1), at(0), 9],
    [at(3), at(2), at(1), 13],
    [at(0), at(3), at(2), 18],
  ]
}

/** Salsa20/8, in place. @see RFC 7914, 3 */
function salsa(x: Uint32Array): void {
  const before = x.slice()
  for (let double = 0; double < 4; double++)
    for (const [target, one, other, bits] of ROUNDS) {
      const sum = ((x[one] ?? 0) + (x[other] ?? 0)) | 0
      x[target] = (x[target] ?? 0) ^ ((sum << bits) | (sum >>> (32 - bits)))
    }
  for (let at = 0; at < 16; at++) x[at] = (x[at] ?? 0) + (before[at] ?? 0)
}
