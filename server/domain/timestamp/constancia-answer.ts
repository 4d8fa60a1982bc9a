import { DerError } from '#server/domain/asn1/der.ts'
import { areEqual } from '#server/domain/asn1/der-values.ts'
import { readTimeStampResponse, type TimeStampResponse } from './time-stamp-response.ts'

export type AnswerReading =
  /** It covers the requested file; its trust is not checked here. */
  | { kind: 'ours' }
  /** `isFinal`: the provider refused, and would refuse again. */
  | { kind: 'useless'; reason: UselessAnswer; isFinal: boolean }

export type UselessAnswer = 'no-constancia' | 'refused' | 'of-other-file' | 'to-other-request'

const useless = (reason: UselessAnswer, isFinal = false): AnswerReading => ({
  kind: 'useless',
  reason,
  isFinal,
})

/** PKIStatus. @see RFC 3161, 2.4.2 */
const WAITING = 3

/** Digest and nonce of a request. */
export type AskedConstancia = { imprint: Uint8Array; nonce: Uint8Array }

/**
 * Whether a provider's answer is worth keeping: it answers our request about our file. Some providers omit the
 * nonce.
 */
export function readAnswer(bytes: Uint8Array, asked: AskedConstancia): AnswerReading {
  const response = tryToRead(bytes)
  if (!response) return useless('no-constancia')
  if (response.kind === 'refused') return useless('refused', response.status !== WAITING)
  const { digest, imprint, nonce } = response.token.info
  if (digest !== 'sha256' || !areEqual(imprint, asked.imprint)) return useless('of-other-file')
  if (nonce && !areEqual(nonce, asked.nonce)) return useless('to-other-request')
  return { kind: 'ours' }
}

function tryToRead(bytes: Uint8Array): TimeStampResponse | undefined {
  try {
    return readTimeStampResponse(bytes)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}
