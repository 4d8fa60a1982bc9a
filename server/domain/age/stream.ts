import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

/*
 * The payload of an age file: chunks of 64 KiB, each sealed with ChaCha20-Poly1305 under its number and whether it
 * is the last. A chunk opens only at its place, so that a file may be read anywhere, and a file that was cut,
 * extended or shuffled does not open.
 *
 * https://c2sp.org/age, "Payload" (STREAM of Hoang, Reyhanitabar, Rogaway and Vizár, 2015)
 */

export const FILE_KEY_BYTES = 16
export const PAYLOAD_NONCE_BYTES = 16
/** Plaintext of every chunk but the last, which has 1 to so many bytes, or none in an empty file. */
export const CHUNK_BYTES = 64 << 10
export const TAG_BYTES = 16
export const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES

const CIPHER = 'chacha20-poly1305'

/** The encrypted bytes were changed, moved, cut or extended, or the key is another. */
export class DamagedStream extends Error {
  override readonly name = 'DamagedStream'
}

/** Where a chunk stands in its file. */
export type ChunkPlace = { readonly index: number; readonly isLast: boolean }

/**
 * The key of all chunks of one file.
 *
 * @param fileKey 16 random bytes, used for this file only
 * @param nonce 16 random bytes, which stand in front of the chunks
 */
export function payloadKey(fileKey: Uint8Array, nonce: Uint8Array): Uint8Array {
  if (fileKey.length !== FILE_KEY_BYTES || nonce.length !== PAYLOAD_NONCE_BYTES)
    throw new RangeError('a file key and its nonce have 16 bytes each')
  return new Uint8Array(hkdfSync('sha256', fileKey, nonce, 'payload', 32))
}

/** The number of chunks of so many bytes of plaintext; an empty file has one. */
export const chunkCount = (plainBytes: number): number =>
  Math.max(1, Math.ceil(plainBytes / CHUNK_BYTES))

/** The size of all chunks of so many bytes of plaintext; the nonce in front is not counted. */
export const sealedSize = (plainBytes: number): number =>
  plainBytes + TAG_BYTES * chunkCount(plainBytes)

/** The size of a payload with so many bytes of plaintext: the nonce and all chunks. */
export const payloadSize = (plainBytes: number): number =>
  PAYLOAD_NONCE_BYTES + sealedSize(plainBytes)

/** The plaintext in so many bytes of chunks; undefined if no file has that size. */
export function plainSize(sealedBytes: number): number | undefined {
  const plain = sealedBytes - TAG_BYTES * Math.ceil(sealedBytes / SEALED_CHUNK_BYTES)
  return plain >= 0 && sealedSize(plain) === sealedBytes ? plain : undefined
}

/** @param plain `CHUNK_BYTES` of them, in the last chunk at most so many */
export function sealChunk(key: Uint8Array, place: ChunkPlace, plain: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(plain.length + TAG_BYTES)
  sealChunkInto(sealed, key, place, plain)
  return sealed
}

/** The same into the beginning of `target`; returns the number of bytes there. */
export function sealChunkInto(
  target: Uint8Array,
  key: Uint8Array,
  place: ChunkPlace,
  plain: Uint8Array,
): number {
  mustFit(place, plain.length)
  const cipher = createCipheriv(CIPHER, key, nonceOf(place), { authTagLength: TAG_BYTES })
  target.set(cipher.update(plain))
  cipher.final()
  target.set(cipher.getAuthTag(), plain.length)
  return plain.length + TAG_BYTES
}

/** @throws {DamagedStream} if these are not the bytes that were sealed with this key at this place */
export function openChunk(key: Uint8Array, place: ChunkPlace, sealed: Uint8Array): Uint8Array {
  const length = sealed.length - TAG_BYTES
  if (!fits(place, length)) throw new DamagedStream(`chunk ${place.index} has ${length} bytes`)
  const decipher = createDecipheriv(CIPHER, key, nonceOf(place), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(length))
  const plain = decipher.update(sealed.subarray(0, length))
  try {
    decipher.final()
  } catch {
    throw new DamagedStream(`chunk ${place.index} does not open`)
  }
  return plain
}

/** Turns pieces of any size into chunks. */
export type ChunkWriter = {
  /** The chunks that are complete; may keep up to one chunk back until it is known whether it is the last. */
  update(piece: Uint8Array): Uint8Array[]
  /** The last chunk; call once. */
  final(): Uint8Array
}

/** Seals a file from its beginning to its end. */
export const streamSealer = (key: Uint8Array): ChunkWriter =>
  chunkWriter(CHUNK_BYTES, (place, plain) => sealChunk(key, place, plain))

/**
 * Opens a file from its beginning to its end. What `update` returned is authentic, but only after `final` is it
 * known to be the whole file. Both throw {DamagedStream}.
 */
export const streamOpener = (key: Uint8Array): ChunkWriter =>
  chunkWriter(SEALED_CHUNK_BYTES, (place, sealed) => openChunk(key, place, sealed))

function chunkWriter(
  size: number,
  pass: (place: ChunkPlace, chunk: Uint8Array) => Uint8Array,
): ChunkWriter {
  const done: Uint8Array[] = []
  const chunks = chunker(size, (place, chunk) => done.push(pass(place, chunk)))
  return {
    update(piece) {
      chunks.update(piece)
      return done.splice(0)
    },
    final() {
      chunks.final()
      return done[0] as Uint8Array
    },
  }
}

/**
 * Cuts pieces of any size into chunks.
 *
 * @param size of every chunk but the last, in bytes
 * @param use gets each chunk in order; its bytes are valid only until it returns. A piece of at most `size` bytes
 *   calls it once at most
 */
export function chunker(size: number, use: (place: ChunkPlace, chunk: Uint8Array) => void) {
  const kept = new Uint8Array(size)
  let length = 0
  let index = 0
  const next = (chunk: Uint8Array) => use({ index: index++, isLast: false }, chunk)

  return {
    /** Keeps up to one chunk back until it is known whether it is the last. */
    update(piece: Uint8Array): void {
      for (let rest = piece; rest.length > 0; ) {
        if (length === size) {
          next(kept)
          length = 0
        }
        if (length === 0 && rest.length > size) {
          next(rest.subarray(0, size))
          rest = rest.subarray(size)
          continue
        }
        const taken = rest.subarray(0, size - length)
        kept.set(taken, length)
        length += taken.length
        rest = rest.subarray(taken.length)
      }
    },
    /** Gives the last chunk; call once. */
    final: () => use({ index, isLast: true }, kept.subarray(0, length)),
  }
}

function mustFit(place: ChunkPlace, length: number): void {
  if (!fits(place, length))
    throw new RangeError(`no chunk ${place.index} of a file has ${length} bytes`)
}

/** Every chunk is full but the last, which is empty only in an empty file. */
function fits({ index, isLast }: ChunkPlace, length: number): boolean {
  if (!isLast) return length === CHUNK_BYTES
  return length <= CHUNK_BYTES && length >= (index === 0 ? 0 : 1)
}

/** 11 bytes of the chunk's number, then 1 for the last chunk and 0 for all others. */
function nonceOf({ index, isLast }: ChunkPlace): Uint8Array {
  if (!Number.isSafeInteger(index) || index < 0) throw new RangeError(`no chunk is number ${index}`)
  const nonce = new Uint8Array(12)
  const view = new DataView(nonce.buffer)
  view.setBigUint64(3, BigInt(index))
  nonce[11] = isLast ? 1 : 0
  return nonce
}
