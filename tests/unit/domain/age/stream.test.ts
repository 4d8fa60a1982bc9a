import { createCipheriv, createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  CHUNK_BYTES,
  chunkCount,
  DamagedStream,
  openChunk,
  payloadKey,
  plainSize,
  SEALED_CHUNK_BYTES,
  sealChunk,
  sealedSize,
  streamOpener,
  streamSealer,
} from '#server/domain/age/stream.ts'
import { concatBytes, fromHex, toHex } from '#server/domain/bytes.ts'

const patternOf = (bytes: number) => Uint8Array.from({ length: bytes }, (_, i) => i * 7 + (i >> 8))

/* Written by age 1.1.1 of pattern bytes: SHA-256 of all chunks. The file key was unwrapped from the header. */
const WRITTEN_BY_AGE = [
  {
    bytes: 0,
    fileKey: '6c5347b281698614ad0cfd9c2a045dae',
    nonce: '6d8e4c91e2aacb560476a1352aeb434a',
    sha256: 'db89d68229763df22435de0d9caa73f717ed615878b88a107fcf4ad3025035bc',
  },
  {
    bytes: 3,
    fileKey: '36dca3b3b8087bdcf2b549cf3dc9c4e2',
    nonce: '7cc0d0d0d2bb67d9bd1dc55519e1d02e',
    sha256: '7201b1c3a069e2c01bd81b9bb8010d1d2a8fb902622192488f6374bcdd25cf6a',
  },
  {
    bytes: 65_535,
    fileKey: '0e84335d5455b6f87abcec8aa2969db2',
    nonce: 'c064bf5279bbf3a3201fd73a3ae1236d',
    sha256: 'db71c34172d9b4cbbd64da58f15edb4474be4d18a9e79e6891daa0c625eef585',
  },
  {
    bytes: 65_536,
    fileKey: '77b2af28e3577d9070dedc2202311bbf',
    nonce: 'eb09ff638d241279f09cd4f8816e0c65',
    sha256: '47d7106d76a605136616d10247709c196b0e528fff40f209abdab8d71a16a27b',
  },
  {
    bytes: 65_537,
    fileKey: '332ed300e36030bd4f333fc35dde960a',
    nonce: '254d20e61d36925ca6e2cf52181f7427',
    sha256: '0d56e814ac90b8b73848da4e8e81e18bcdafae91171ffa1a4da4a35e50f9fc71',
  },
  {
    bytes: 131_072,
    fileKey: '219f498ee37d25055f5cf2a0a52cd86b',
    nonce: 'decbc5d5bbd9064db29860067a6fb10a',
    sha256: '2e77bd1b156b632930df033dd88872dcb821461d3cf9bf3751c8513775c2129d',
  },
  {
    bytes: 150_000,
    fileKey: 'f314d7b68e00a607bd85dfdc570fa563',
    nonce: 'e1a2c9e7ed3ca330860b94bbe45e1f5d',
    sha256: 'a3435d10a274ba01c1850d56b549fe8e13aa79609581f53e948f00a48fd0202d',
  },
]

/** File key, nonce and payload "age" of the file `armor` of the C2SP CCTV age test kit. */
const KIT = {
  key: payloadKey(
    fromHex('59454c4c4f57205355424d4152494e45'),
    fromHex('eecf62c7ce91b433274e68d4f2f9134c'),
  ),
  sealed: fromHex('b74c5bfef7beaa52c8f0bc0e992c1e8331fb66'),
}

describe('published format', () => {
  test.each(WRITTEN_BY_AGE)('seals $bytes bytes as age does', ({ bytes, ...file }) => {
    const key = payloadKey(fromHex(file.fileKey), fromHex(file.nonce))
    const sealed = sealAll(key, patternOf(bytes))
    expect(createHash('sha256').update(sealed).digest('hex')).toBe(file.sha256)
    expect(openAll(key, sealed)).toEqual(patternOf(bytes))
  })

  test('opens and makes the payload of the age test kit', () => {
    expect(Buffer.from(openAll(KIT.key, KIT.sealed)).toString()).toBe('age')
    expect(toHex(sealAll(KIT.key, Buffer.from('age')))).toBe(toHex(KIT.sealed))
  })

  test('numbers chunks above 2^32', () => {
    const place = { index: 2 ** 33 + 1, isLast: true }
    const sealed = sealChunk(KIT.key, place, patternOf(1))
    expect(toHex(openChunk(KIT.key, place, sealed))).toBe('00')
    expect(() => openChunk(KIT.key, { index: 1, isLast: true }, sealed)).toThrow(DamagedStream)
  })
})

describe('sizes', () => {
  test.each([
    [0, 1, 16],
    [1, 1, 17],
    [CHUNK_BYTES, 1, SEALED_CHUNK_BYTES],
    [CHUNK_BYTES + 1, 2, SEALED_CHUNK_BYTES + 17],
    [3 * CHUNK_BYTES, 3, 3 * SEALED_CHUNK_BYTES],
  ])('%i bytes are %i chunks of together %i bytes', (plain, chunks, sealed) => {
    expect(chunkCount(plain)).toBe(chunks)
    expect(sealedSize(plain)).toBe(sealed)
    expect(plainSize(sealed)).toBe(plain)
  })

  test.each([0, 15, SEALED_CHUNK_BYTES + 1, SEALED_CHUNK_BYTES + 16])(
    'no file has %i bytes of chunks',
    (sealed) => {
      expect(plainSize(sealed)).toBeUndefined()
    },
  )
})

describe('random access', () => {
  test('opens each chunk by itself', () => {
    const plain = patternOf(150_000)
    const sealed = sealAll(KIT.key, plain)
    for (const index of [2, 0, 1]) {
      const chunk = sealed.subarray(index * SEALED_CHUNK_BYTES, (index + 1) * SEALED_CHUNK_BYTES)
      expect(toHex(openChunk(KIT.key, { index, isLast: index === 2 }, chunk))).toBe(
        toHex(plain.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)),
      )
    }
  })
})

describe('pieces of any size', () => {
  test.each([1000, 65_535, 65_536, 65_537, 65_552, 200_000])(
    'seals and opens the same bytes in pieces of %i',
    (size) => {
      const plain = patternOf(196_608)
      const sealed = sealAll(KIT.key, plain, size)
      expect(toHex(sealed)).toBe(toHex(sealAll(KIT.key, plain)))
      expect(toHex(openAll(KIT.key, sealed, size))).toBe(toHex(plain))
    },
  )
})

describe('hostile file', () => {
  const first = sealChunk(KIT.key, { index: 0, isLast: false }, patternOf(CHUNK_BYTES))
  const second = sealChunk(KIT.key, { index: 1, isLast: false }, patternOf(CHUNK_BYTES))
  const fullLast = sealChunk(KIT.key, { index: 2, isLast: true }, patternOf(CHUNK_BYTES))
  const whole = concatBytes(first, second, fullLast)

  test.each<[string, Uint8Array]>([
    ['without a chunk', new Uint8Array()],
    ['shorter than a tag', KIT.sealed.subarray(0, 15)],
    ['cut inside its only chunk', KIT.sealed.subarray(0, -1)],
    ['cut at the border of a chunk', whole.subarray(0, 2 * SEALED_CHUNK_BYTES)],
    ['cut inside its last chunk', whole.subarray(0, -1)],
    ['with two chunks swapped', concatBytes(second, first, fullLast)],
    ['with a chunk twice', concatBytes(first, first, second, fullLast)],
    ['with a chunk left out', concatBytes(first, fullLast)],
    ['with a flipped bit in its first chunk', flipped(whole, 0)],
    ['with a flipped bit in its second chunk', flipped(whole, SEALED_CHUNK_BYTES + 7)],
    ['with a flipped bit in its last tag', flipped(whole, whole.length - 1)],
    ['with a byte behind its last chunk', concatBytes(whole, new Uint8Array(1))],
    ['with a chunk behind its last chunk', concatBytes(whole, fullLast)],
    ['with two last chunks', concatBytes(KIT.sealed, KIT.sealed)],
    ['of another key', sealAll(new Uint8Array(32), patternOf(10))],
    ['with an empty last chunk', concatBytes(first, emptyLast(1))],
  ])('does not open: %s', (_, sealed) => {
    for (const size of [sealed.length || 1, 4096])
      expect(() => openAll(KIT.key, sealed, size)).toThrow(DamagedStream)
  })

  test('is not made: a short chunk in the middle, an empty last one, a negative number', () => {
    const seal = (index: number, isLast: boolean, bytes: number) => () =>
      sealChunk(KIT.key, { index, isLast }, patternOf(bytes))
    expect(seal(0, false, 10)).toThrow(RangeError)
    expect(seal(1, true, 0)).toThrow(RangeError)
    expect(seal(0, true, CHUNK_BYTES + 1)).toThrow(RangeError)
    expect(seal(-1, true, 1)).toThrow(RangeError)
    expect(() => payloadKey(new Uint8Array(32), new Uint8Array(16))).toThrow(RangeError)
  })
})

function sealAll(key: Uint8Array, plain: Uint8Array, size = plain.length || 1): Uint8Array {
  return passAll(streamSealer(key), plain, size)
}

function openAll(key: Uint8Array, sealed: Uint8Array, size = sealed.length || 1): Uint8Array {
  return passAll(streamOpener(key), sealed, size)
}

function passAll(writer: ReturnType<typeof streamSealer>, bytes: Uint8Array, size: number) {
  const done: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size)
    done.push(...writer.update(bytes.subarray(at, at + size)))
  return concatBytes(...done, writer.final())
}

/** An authentic chunk without plaintext, which `sealChunk` refuses to make: the keystream's tag of nothing. */
function emptyLast(index: number): Uint8Array {
  const nonce = new Uint8Array(12)
  nonce[10] = index
  nonce[11] = 1
  const cipher = createCipheriv('chacha20-poly1305', KIT.key, nonce, { authTagLength: 16 })
  cipher.final()
  return cipher.getAuthTag()
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = new Uint8Array(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}
