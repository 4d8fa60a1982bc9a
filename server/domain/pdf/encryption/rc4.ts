/**
 * The data under RC4, which enciphers and deciphers alike. Current builds of OpenSSL leave it out; old
 * files are still read with it, nothing is protected by it.
 *
 * @see RFC 6229, for its test vectors
 */
export function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at)
  const swap = (a: number, b: number) => {
    const held = state[a]!
    state[a] = state[b]!
    state[b] = held
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255
    swap(i, j)
  }
  const out = new Uint8Array(data.length)
  for (let at = 0, i = 0, j = 0; at < data.length; at++) {
    i = (i + 1) & 255
    j = (j + state[i]!) & 255
    swap(i, j)
    out[at] = data[at]! ^ state[(state[i]! + state[j]!) & 255]!
  }
  return out
}
