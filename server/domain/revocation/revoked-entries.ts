import { DerError, readDer } from '#server/domain/asn1/der.ts'
import { timeOf } from '#server/domain/asn1/der-time.ts'
import { sequenceOf, TAG } from '#server/domain/asn1/der-values.ts'
import { fromHex } from '#server/domain/bytes.ts'
import { earliest, type Instant } from '#server/domain/time.ts'
import { readExtensions } from '#server/domain/x509/extensions.ts'
import { magnitudeOf } from './certificate-id.ts'
import type { CertificateList } from './certificate-list.ts'
import { hasUnknownCritical, readInvalidityDate, readReasonCode } from './entry-extensions.ts'
import type { RevocationReason } from './reason.ts'

export type RevokedEntry = {
  /** Of the revocation, or since when the certificate counts as invalid where that is earlier. */
  at: Instant
  reason: RevocationReason | null
}

/**
 * What a list says about one serial number: usually nothing. Looks at every entry, because one that cannot
 * be understood spoils the whole list.
 *
 * @param serial the octets of the INTEGER in lower-case hexadecimal
 * @returns `not-understood` when an entry holds a critical extension that we do not know
 * @throws {DerError} if the entries are malformed
 * @see RFC 5280, 5.3
 */
export function revocationsOf(
  { entries }: CertificateList,
  serial: string,
): RevokedEntry[] | 'not-understood' {
  const found: RevokedEntry[] = []
  const wanted = fromHex(magnitudeOf(serial))
  for (let at = 0; at < entries.length; ) {
    const entry = headerAt(entries, at, entries.length, TAG.sequence)
    const number = headerAt(entries, entry.start, entry.end, TAG.integer)
    const time = headerAt(entries, number.end, entry.end)
    const isOurs = isNumber(entries, number, wanted)
    const isPlain = isOnlyReason(entries, time.end, entry.end)
    if (isOurs || !isPlain) {
      const { isUnderstood, ...read } = readEntry(entries.subarray(at, entry.end))
      if (!isUnderstood) return 'not-understood'
      if (isOurs) found.push(read)
    }
    at = entry.end
  }
  return found
}

function readEntry(bytes: Uint8Array): RevokedEntry & { isUnderstood: boolean } {
  const [, time, extensionsNode, ...more] = sequenceOf(readDer(bytes))
  if (more.length > 0) throw new DerError('unexpected-structure', 'entry of a list')
  const extensions = extensionsNode ? readExtensions(extensionsNode) : []
  const at = timeOf(time)
  return {
    at: earliest(at, readInvalidityDate(extensions) ?? at),
    reason: readReasonCode(extensions),
    isUnderstood: !hasUnknownCritical(extensions, []),
  }
}

/** Nothing, or a reason that is not critical, as in all but a few entries of this world. */
function isOnlyReason(entries: Uint8Array, start: number, end: number): boolean {
  if (start === end) return true
  if (end - start !== REASON.length + 1) return false
  return REASON.every((octet, index) => entries[start + index] === octet)
}

/** Extensions { Extension { 2.5.29.21, OCTET STRING { ENUMERATED of one octet, which follows. */
const REASON = Uint8Array.of(0x30, 0x0c, 0x30, 0x0a, 6, 3, 0x55, 0x1d, 0x15, 4, 3, 0x0a, 1)

/** By magnitude, and where it lies: most of a list is about other numbers. */
function isNumber(
  entries: Uint8Array,
  { start, end }: { start: number; end: number },
  wanted: Uint8Array,
): boolean {
  let first = start
  while (first < end && entries[first] === 0) first++
  if (end - first !== wanted.length) return false
  // Numbers of one authority differ at their end.
  for (let index = wanted.length - 1; index >= 0; index--)
    if (entries[first + index] !== wanted[index]) return false
  return true
}

/** Where the content of the element at `at` lies. Without a node for each: lists are long. */
function headerAt(bytes: Uint8Array, at: number, limit: number, tag?: number) {
  const first = bytes[at + 1]
  if (at + 2 > limit || first === undefined) throw new DerError('truncated', 'entry of a list')
  if (tag !== undefined && bytes[at] !== tag)
    throw new DerError('unexpected-structure', 'entry of a list')
  const count = first < 0x80 ? 0 : first & 0x7f
  if (first === 0x80 || count > 4) throw new DerError('bad-value', 'length of an entry')
  let length = count === 0 ? first : 0
  for (let index = 0; index < count; index++) length = length * 256 + (bytes[at + 2 + index] ?? 0)
  const start = at + 2 + count
  if (start + length > limit) throw new DerError('truncated', 'entry of a list')
  return { start, end: start + length }
}
