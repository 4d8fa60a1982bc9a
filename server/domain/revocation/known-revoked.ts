import type { Instant } from '#server/domain/time.ts'
import { ocspResponseIn } from './revocation-values.ts'

/**
 * Whether answers about one certificate, each proven when it came, say that it is revoked today. Only a hold ends
 * with a newer good word: an authority that forgets the rest has not taken it back.
 */
export function isKnownRevoked(
  answers: readonly { status: 'good' | 'revoked'; der: Uint8Array; fetchedAt: Instant }[],
): boolean {
  const lastGood = Math.max(
    ...answers.filter(({ status }) => status === 'good').map(({ fetchedAt }) => fetchedAt),
  )
  return answers.some(
    ({ status, der, fetchedAt }) => status === 'revoked' && (fetchedAt >= lastGood || !isHold(der)),
  )
}

function isHold(der: Uint8Array): boolean {
  const response = ocspResponseIn(der)
  if (response?.kind !== 'answered') return false
  return response.responses.every(
    ({ status }) => status.kind !== 'revoked' || status.reason === 'certificateHold',
  )
}
