import { DerError, readBer } from '#server/domain/asn1/der.ts'
import { sequenceOf, smallIntegerOf, TAG } from '#server/domain/asn1/der-values.ts'
import { readTimeStampToken, type TimeStampToken } from './time-stamp-token.ts'

/** An authority's response to a request for a timestamp. */
export type TimeStampResponse =
  | {
      kind: 'granted'
      token: TimeStampToken
      /** The token as received, as a signature carries it. */
      tokenBytes: Uint8Array
      /** The request was modified, which the caller must judge. */
      isModified: boolean
    }
  | {
      kind: 'refused'
      /** PKIStatus: 2 rejection, 3 waiting, 4 and 5 revocation. */
      status: number
    }

const GRANTED = 0
const GRANTED_WITH_MODIFICATIONS = 1

/**
 * Parses an authority's answer: a whole response, or a token alone, as some authorities send.
 *
 * @throws {DerError} if it is neither, or a granted response without a token
 * @see RFC 3161, 2.4.2; NOM-151-SCFI-2016
 */
export function readTimeStampResponse(bytes: Uint8Array): TimeStampResponse {
  const [first, token, ...more] = sequenceOf(readBer(bytes, { maxNodes: 200_000 }))
  if (first?.tag === TAG.oid) return granted(bytes, false)
  const status = smallIntegerOf(sequenceOf(first)[0])
  if (status !== GRANTED && status !== GRANTED_WITH_MODIFICATIONS)
    return { kind: 'refused', status }
  if (!token || more.length > 0)
    throw new DerError('unexpected-structure', 'a granted timestamp that is not there')
  return granted(token.bytes, status === GRANTED_WITH_MODIFICATIONS)
}

const granted = (tokenBytes: Uint8Array, isModified: boolean): TimeStampResponse => ({
  kind: 'granted',
  token: readTimeStampToken(tokenBytes),
  tokenBytes,
  isModified,
})
