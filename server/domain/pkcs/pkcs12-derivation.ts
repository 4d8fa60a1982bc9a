import type { Bytes } from '#server/domain/asn1/der-writer.ts'

/** What the derived bytes are for. @see RFC 7292, B.3 */
export type Pkcs12Purpose = 'key' | 'iv' | 'mac'
export type Pkcs12Hash = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'

/** A hash over bytes. */
export type Digest = (hash: Pkcs12Hash, bytes: Bytes) => Bytes | Promise<Bytes>

/** By the platform, in the page and on a server alike. */
export const digestOfPlatform: Digest = async (hash, bytes) =>
  new Uint8Array(await crypto.subtle.digest(hash, bytes))

const PURPOSES: Record<Pkcs12Purpose, number> = { key: 1, iv: 2, mac: 3 }
const BLOCK_BYTES: Record<Pkcs12Hash, number> = {
  'SHA-1': 64,
  'SHA-256': 64,
  'SHA-384': 128,
  'SHA-512': 128,
}

/**
 * Bytes from a password as PKCS#12 derives them.
 *
 * @param length in bytes
 * @param digest is called as often as the file wants
 * @see RFC 7292, B.2
 */
export async function derivePkcs12(
  password: string,
  scheme: { hash: Pkcs12Hash; salt: Uint8Array; iterations: number },
  purpose: Pkcs12Purpose,
  length: number,
  digest: Digest,
): Promise<Bytes> {
  const block = BLOCK_BYTES[scheme.hash]
  const spoken = bmpOctets(password)
  const salt = repeated(scheme.salt, block)
  const input = new Uint8Array([...salt, ...repeated(spoken, block)])
  spoken.fill(0)
  const diversifier = new Uint8Array(block).fill(PURPOSES[purpose])
  const derived = new Uint8Array(length)
  for (let at = 0; at < length; ) {
    const hashed = await hashedAgain(scheme, digest, diversifier, input)
    derived.set(hashed.subarray(0, length - at), at)
    at += hashed.length
    addToBlocks(input, hashed, block)
  }
  input.fill(0)
  return derived
}

/** Big-endian UTF-16 with two zero octets at its end. @see RFC 7292, B.1 */
function bmpOctets(password: string): Uint8Array {
  const octets = new Uint8Array(2 * password.length + 2)
  for (let index = 0; index < password.length; index++) {
    const unit = password.charCodeAt(index)
    octets[2 * index] = unit >> 8
    octets[2 * index + 1] = unit & 0xff
  }
  return octets
}

/** As often as it takes to fill whole blocks. */
function repeated(octets: Uint8Array, block: number): Uint8Array {
  const length = block * Math.ceil(octets.length / block)
  return Uint8Array.from({ length }, (_, index) => octets[index % octets.length] ?? 0)
}

async function hashedAgain(
  { hash, iterations }: { hash: Pkcs12Hash; iterations: number },
  digest: Digest,
  diversifier: Uint8Array,
  input: Uint8Array,
): Promise<Bytes> {
  let hashed: Bytes = new Uint8Array([...diversifier, ...input])
  for (let turn = 0; turn < iterations; turn++) hashed = await digest(hash, hashed)
  return hashed
}

/** To each block of `input` the digest, repeated, and one, modulo its size. */
function addToBlocks(input: Uint8Array, digest: Uint8Array, block: number): void {
  const addend = Uint8Array.from({ length: block }, (_, at) => digest[at % digest.length] ?? 0)
  for (let start = 0; start < input.length; start += block) {
    let carry = 1
    for (let at = block - 1; at >= 0; at--) {
      carry += (input[start + at] ?? 0) + (addend[at] ?? 0)
      input[start + at] = carry & 0xff
      carry >>= 8
    }
  }
}
