import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { concatBytes, equalBytes, fromBase64, toBase64 } from '#server/domain/bytes.ts'

/*
 * The header of an age file: a line with the version, a stanza for each recipient with the file key wrapped for it,
 * and a MAC under the file key.
 *
 * https://c2sp.org/age, "Header"
 */

/** A wrapped file key, as one kind of recipient wraps it. */
export type Stanza = {
  /** The kind first. */
  readonly words: readonly string[]
  readonly body: Uint8Array
}

export type AgeHeader = {
  readonly stanzas: readonly Stanza[]
  readonly mac: Uint8Array
  /** The bytes that the MAC authenticates. */
  readonly authenticated: Uint8Array
  /** In bytes; the payload follows. */
  readonly length: number
}

/** The file is none of age, or its header was changed. */
export class BadHeader extends Error {
  override readonly name = 'BadHeader'
}

/** Far more than a header for some hundred recipients. */
export const LONGEST_HEADER = 64 << 10

const VERSION = 'age-encryption.org/v1\n'
const END = '---'
const COLUMNS = 64
const MAC_BYTES = 32

/**
 * Reads the header at the beginning of a file, strictly: what the format does not allow is refused.
 *
 * @param beginning of the file, `LONGEST_HEADER` bytes of it or all
 * @throws {BadHeader}
 */
export function readHeader(beginning: Uint8Array): AgeHeader {
  const lines = linesOf(beginning.subarray(0, LONGEST_HEADER))
  mustBe(`${lines.next()}\n` === VERSION, 'no age file of version 1')
  const stanzas: Stanza[] = []
  for (;;) {
    const line = lines.next()
    if (line.startsWith(END)) {
      mustBe(stanzas.length > 0, 'no stanza')
      const start = lines.at() - line.length - 1
      const mac = /^--- ([A-Za-z0-9+/]{43})$/.exec(line)?.[1]
      return {
        stanzas,
        mac: decoded(mac ?? '', MAC_BYTES),
        authenticated: beginning.slice(0, start + END.length),
        length: lines.at(),
      }
    }
    mustBe(/^->(?: [\x21-\x7e]+)+$/.test(line), 'no stanza')
    stanzas.push({ words: line.split(' ').slice(1), body: bodyIn(lines) })
  }
}

/** @param fileKey 16 bytes */
export function writeHeader(stanzas: readonly Stanza[], fileKey: Uint8Array): Uint8Array {
  const text = [VERSION, ...stanzas.map(stanzaText), END].join('')
  const authenticated = new TextEncoder().encode(text)
  const mac = unpadded(macOf(authenticated, fileKey))
  return concatBytes(authenticated, new TextEncoder().encode(` ${mac}\n`))
}

/** Whether the header was written by the owner of this file key and never changed. */
export const isAuthentic = ({ authenticated, mac }: AgeHeader, fileKey: Uint8Array): boolean =>
  timingSafeEqual(macOf(authenticated, fileKey), mac)

function macOf(authenticated: Uint8Array, fileKey: Uint8Array): Uint8Array {
  const key = hkdfSync('sha256', fileKey, new Uint8Array(), 'header', 32)
  return createHmac('sha256', Buffer.from(key)).update(authenticated).digest()
}

/** Canonical base64 without padding. @throws {BadHeader} also for another length */
export function decoded(text: string, bytes?: number): Uint8Array {
  const padding = '='.repeat((4 - (text.length % 4)) % 4)
  try {
    const found = fromBase64(text + padding)
    mustBe(unpadded(found) === text, 'not canonical')
    mustBe(bytes === undefined || found.length === bytes, 'another length')
    return found
  } catch (error) {
    if (error instanceof RangeError) throw new BadHeader('not base64')
    throw error
  }
}

export const unpadded = (bytes: Uint8Array) => toBase64(bytes).replace(/=+$/, '')

function stanzaText({ words, body }: Stanza): string {
  const text = unpadded(body)
  const lines = Array.from({ length: Math.floor(text.length / COLUMNS) + 1 }, (_, i) =>
    text.slice(i * COLUMNS, (i + 1) * COLUMNS),
  )
  return [`-> ${words.join(' ')}`, ...lines, ''].join('\n')
}

/** The body ends with the first line that is not full, which may be empty. */
function bodyIn(lines: Lines): Uint8Array {
  let text = ''
  for (;;) {
    const line = lines.next()
    mustBe(line.length <= COLUMNS && /^[A-Za-z0-9+/]*$/.test(line), 'no body')
    text += line
    if (line.length < COLUMNS) return decoded(text)
  }
}

type Lines = { next(): string; at(): number }

function linesOf(bytes: Uint8Array): Lines {
  let at = 0
  return {
    next() {
      const end = bytes.indexOf(0x0a, at)
      mustBe(end !== -1, 'the header does not end')
      const line = bytes.subarray(at, end)
      at = end + 1
      const text = Buffer.from(line).toString('latin1')
      mustBe(equalBytes(Buffer.from(text, 'latin1'), line), 'no text')
      return text
    },
    at: () => at,
  }
}

function mustBe(isSo: boolean, reason: string): void {
  if (!isSo) throw new BadHeader(reason)
}
