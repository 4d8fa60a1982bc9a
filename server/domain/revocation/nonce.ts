import { DerError, readDer } from '#server/domain/asn1/der.ts'
import { octetsOf } from '#server/domain/asn1/der-values.ts'
import type { Extension } from '#server/domain/x509/extensions.ts'

export const NONCE = '1.3.6.1.5.5.7.48.1.2'

/** The octets that tie an answer to its question. Old programs put them into the extension as they are. */
export function readNonce(extensions: readonly Extension[]): Uint8Array | undefined {
  const value = extensions.find(({ oid }) => oid === NONCE)?.value
  if (!value) return undefined
  try {
    return octetsOf(readDer(value))
  } catch (error) {
    if (error instanceof DerError) return value
    throw error
  }
}
