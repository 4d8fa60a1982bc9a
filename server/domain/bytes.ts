import type { Hash } from 'node:crypto'

/**
 * A file with random access. Reading is synchronous on purpose: PDFs are parsed in a worker or on the command
 * line, and a parser that awaits each object is neither short nor fast.
 */
export type ByteSource = {
  /** Length of the file in bytes. */
  readonly length: number
  /**
   * The bytes from `start` up to, not including, `end`; the caller must not change them.
   *
   * @throws {RangeError} if the span is not inside the file
   */
  read(start: number, end: number): Uint8Array
  /** Fills `target` with the bytes from `start` on; optional, saves memory allocations. */
  readInto?(target: Uint8Array, start: number): void
  /** Set if the first bytes of this file have been digested already. */
  readonly digested?: DigestedBeginning
}

/** A running SHA-256 over the first `length` bytes, which can be continued. */
export type DigestedBeginning = { readonly length: number; sha256(): Hash }

/** A half-open span of a file: the bytes from `start` up to, not including, `end`. */
export type Span = { start: number; end: number }

/** A file that is already in memory. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    length: bytes.length,
    read(start, end) {
      if (!(0 <= start && start <= end && end <= bytes.length))
        throw new RangeError(`${start}..${end} does not lie in a file of ${bytes.length} bytes`)
      return bytes.subarray(start, end)
    },
  }
}

/** The bytes of `span` in chunks of at most `size`, so that memory use is constant. */
export function* chunksOf(source: ByteSource, span: Span, size = 1 << 20): Generator<Uint8Array> {
  for (let at = span.start; at < span.end; at += size)
    yield source.read(at, Math.min(at + size, span.end))
}

/** The buffer of `passChunks`, reused: allocating one per file would cause frequent garbage collections. */
let idleMemory: Uint8Array<ArrayBuffer> | undefined
const PASSED_AT_ONCE = 1 << 19

/**
 * Passes the bytes of `span` chunk by chunk to `use`, which must not keep them: chunks may share one buffer.
 */
export function passChunks(source: ByteSource, span: Span, use: (chunk: Uint8Array) => void): void {
  if (!source.readInto) {
    for (const chunk of chunksOf(source, span, PASSED_AT_ONCE)) use(chunk)
    return
  }
  const memory = idleMemory ?? new Uint8Array(PASSED_AT_ONCE)
  // A nested call allocates its own buffer.
  idleMemory = undefined
  try {
    for (let at = span.start; at < span.end; at += memory.length) {
      const chunk = memory.subarray(0, Math.min(memory.length, span.end - at))
      source.readInto(chunk, at)
      use(chunk)
    }
  } finally {
    idleMemory = memory
  }
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(b)
}

/** Lower-case hexadecimal, two digits a byte. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** @throws {RangeError} if `text` is not an even number of hexadecimal digits */
export function fromHex(text: string): Uint8Array {
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(text)) throw new RangeError('not hexadecimal')
  return new Uint8Array(Buffer.from(text, 'hex'))
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** @throws {RangeError} if `text` is not canonical base64 */
export function fromBase64(text: string): Uint8Array {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text))
    throw new RangeError('not base64')
  return new Uint8Array(Buffer.from(text, 'base64'))
}
