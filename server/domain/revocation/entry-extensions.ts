import { DerError, type DerNode, readDer } from '#server/domain/asn1/der.ts'
import { timeOf } from '#server/domain/asn1/der-time.ts'
import { ID_CRL_REASON, ID_INVALIDITY_DATE } from '#server/domain/asn1/object-identifiers.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Extension } from '#server/domain/x509/extensions.ts'
import { type RevocationReason, readReason } from './reason.ts'

/** Extensions about one certificate that we understand, in lists as in answers (RFC 6960, 4.4.5). */
const KNOWN_ENTRY = [ID_CRL_REASON, ID_INVALIDITY_DATE]

/**
 * Whether there is an unknown critical extension, or one that appears twice, so that it is unclear which one
 * counts.
 *
 * @see RFC 5280, 5.2 and 5.3
 */
export function hasUnknownCritical(
  extensions: readonly Extension[],
  known: readonly string[],
): boolean {
  const ids = new Set(extensions.map(({ oid }) => oid))
  const isKnown = (oid: string) => known.includes(oid) || KNOWN_ENTRY.includes(oid)
  return (
    ids.size !== extensions.length ||
    extensions.some(({ oid, isCritical }) => isCritical && !isKnown(oid))
  )
}

/**
 * Since when the certificate must not be trusted, where that is earlier than its revocation. One that cannot be
 * read takes nothing away from the revocation.
 */
export const readInvalidityDate = (extensions: readonly Extension[]): Instant | undefined =>
  readIn(extensions, ID_INVALIDITY_DATE, timeOf)

/**
 * A time that lets the authority be believed further than otherwise: one that cannot be read does not, and
 * takes nothing away from the rest.
 */
export const readGrace = (extensions: readonly Extension[], id: string): Instant | undefined =>
  readIn(extensions, id, timeOf)

export const readReasonCode = (extensions: readonly Extension[]): RevocationReason | null =>
  readIn(extensions, ID_CRL_REASON, readReason) ?? null

function readIn<T>(
  extensions: readonly Extension[],
  id: string,
  read: (value: DerNode) => T,
): T | undefined {
  const extension = extensions.find(({ oid }) => oid === id)
  try {
    return extension && read(readDer(extension.value))
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}
