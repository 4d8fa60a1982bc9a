import { DerError, readDer } from '#server/domain/asn1/der.ts'
import { integerBytesOf, octetsOf, sequenceOf, TAG } from '#server/domain/asn1/der-values.ts'
import type { AskedConstancia } from './constancia-answer.ts'

/** The digest and the nonce of a request that we made. @throws {DerError} if it is not a request */
export function askedIn(request: Uint8Array): AskedConstancia {
  const [, messageImprint, ...rest] = sequenceOf(readDer(request))
  const nonce = rest.find(({ tag }) => tag === TAG.integer)
  if (!nonce) throw new DerError('unexpected-structure', 'a request without a nonce')
  return { imprint: octetsOf(sequenceOf(messageImprint)[1]), nonce: integerBytesOf(nonce) }
}
