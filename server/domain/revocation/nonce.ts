import { DerError, readDer } from '#server/domain/asn1/der.ts'
import { octetsOf } from '#server/domain/asn1/der-values.ts'
import { ID_OCSP_NONCE } from '#server/domain/asn1/object-identifiers.ts'
import type { Extension } from '#server/domain/x509/extensions.ts'

/** The octets that tie an answer to its question. Old programs put them into the extension as they are. */
export function readNonce(extensions: readonly Extension[]): Uint8Array | undefined {
  const value = extensions.find(({ oid }) => oid === ID_OCSP_NONCE)?.value
  if (!value) return undefined
  try {
    return octetsOf(readDer(value))
  } catch (error) {
    if (error instanceof DerError) return value
    throw error
  }
}
