import { DerError } from '#server/domain/asn1/der.ts'
import { oid, sequence, setOfElements } from '#server/domain/asn1/der-writer.ts'
import { ID_SIGNATURE_TIME_STAMP } from '#server/domain/asn1/object-identifiers.ts'
import { valuesOf } from '#server/domain/cms/attributes.ts'
import type { SignerInfo } from '#server/domain/cms/signer-info.ts'
import { readTimeStampToken, type TimeStampToken } from './time-stamp-token.ts'

/**
 * The unsigned attribute that carries a timestamp over the octets of a signature.
 *
 * @param token ContentInfo, as received
 * @see ETSI EN 319 122-1 V1.3.1, 5.3
 */
export const signatureTimeStampAttribute = (token: Uint8Array) =>
  sequence(oid(ID_SIGNATURE_TIME_STAMP), setOfElements(token))

/** A legitimate signature carries one or two. */
const MOST_TOKENS = 10

/**
 * The timestamps over a signature value, in order; undefined for one that cannot be parsed.
 *
 * @see ETSI EN 319 122-1 V1.3.1, 5.3
 */
export function signatureTimeStampsOf({
  unsignedAttributes,
}: Pick<SignerInfo, 'unsignedAttributes'>): (TimeStampToken | undefined)[] {
  return tokensIn(unsignedAttributes).map((bytes) => {
    try {
      return readTimeStampToken(bytes)
    } catch (error) {
      if (error instanceof DerError) return undefined
      throw error
    }
  })
}

/** Their bytes, as received. */
export const tokensIn = (unsignedAttributes: SignerInfo['unsignedAttributes']) =>
  valuesOf(unsignedAttributes, ID_SIGNATURE_TIME_STAMP).slice(0, MOST_TOKENS)
