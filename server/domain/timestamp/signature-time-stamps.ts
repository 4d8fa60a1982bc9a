import { DerError } from '#server/domain/asn1/der.ts'
import { oid, sequence, setOfElements } from '#server/domain/asn1/der-writer.ts'
import { valuesOf } from '#server/domain/cms/attributes.ts'
import type { SignerInfo } from '#server/domain/cms/signer-info.ts'
import { readTimeStampToken, type TimeStampToken } from './time-stamp-token.ts'

const SIGNATURE_TIME_STAMP = '1.2.840.113549.1.9.16.2.14'

/**
 * The unsigned attribute that carries a timestamp over the octets of a signature.
 *
 * @param token ContentInfo, as the authority gave it
 * @see ETSI EN 319 122-1 V1.3.1, 5.3
 */
export const signatureTimeStampAttribute = (token: Uint8Array) =>
  sequence(oid(SIGNATURE_TIME_STAMP), setOfElements(token))

/** An honest signature carries one or two. */
const MOST_TOKENS = 10

/**
 * The timestamps over the octets of a signature, in their order; undefined stands for one that cannot be read.
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

/** The bytes of the same, each as it came. */
export const tokensIn = (unsignedAttributes: SignerInfo['unsignedAttributes']) =>
  valuesOf(unsignedAttributes, SIGNATURE_TIME_STAMP).slice(0, MOST_TOKENS)
