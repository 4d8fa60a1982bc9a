const BLOCK = 64

/** The first 32 bits of the fractional parts of the roots of the first primes. @see FIPS 180-4, 4.2.2, 5.3.3 */
const ROUNDS = new Int32Array(64)
const START = new Int32Array(8)
for (let prime = 2, found = 0; found < 64; prime += 1) {
  let factor = 2
  while (prime % factor !== 0) factor += 1
  if (factor !== prime) continue
  if (found < 8) START[found] = fractionOf(Math.sqrt(prime))
  ROUNDS[found++] = fractionOf(Math.cbrt(prime))
}

function fractionOf(value: number): number {
  return ((value % 1) * 2 ** 32) | 0
}

/** Incremental SHA-256: WebCrypto requires the whole file in memory. @see FIPS 180-4, 6.2 */
export function sha256() {
  const state = START.slice()
  const words = new Int32Array(64)
  const waiting = new Uint8Array(BLOCK)
  let waits = 0
  let length = 0

  function block(bytes: Uint8Array, at: number): void {
    for (let i = 0, from = at; i < 16; i += 1, from += 4)
      words[i] =
        (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!
    for (let i = 16; i < 64; i += 1) {
      const x = words[i - 15]!
      const y = words[i - 2]!
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
      words[i] = (words[i - 16]! + s0 + words[i - 7]! + s1) | 0
    }
    let a = state[0]!
    let b = state[1]!
    let c = state[2]!
    let d = state[3]!
    let e = state[4]!
    let f = state[5]!
    let g = state[6]!
    let h = state[7]!
    for (let i = 0; i < 64; i += 1) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i]! + words[i]!) | 0
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    state[0]! += a
    state[1]! += b
    state[2]! += c
    state[3]! += d
    state[4]! += e
    state[5]! += f
    state[6]! += g
    state[7]! += h
  }

  function add(chunk: Uint8Array): void {
    length += chunk.length
    let at = 0
    if (waits > 0) {
      at = Math.min(BLOCK - waits, chunk.length)
      waiting.set(chunk.subarray(0, at), waits)
      waits += at
      if (waits < BLOCK) return
      block(waiting, 0)
    }
    for (; at + BLOCK <= chunk.length; at += BLOCK) block(chunk, at)
    waiting.set(chunk.subarray(at))
    waits = chunk.length - at
  }

  return {
    add,
    /** Returns lower-case hexadecimal. No `add` after it. */
    end(): string {
      const bits = new DataView(new ArrayBuffer(8))
      bits.setUint32(0, Math.floor(length / 2 ** 29))
      bits.setUint32(4, length << 3)
      const zeros = (BLOCK * 2 - 9 - waits) % BLOCK
      add(Uint8Array.of(0x80, ...new Uint8Array(zeros), ...new Uint8Array(bits.buffer)))
      return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
    },
  }
}
