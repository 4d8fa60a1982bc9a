import { randomBytes } from 'node:crypto'
import type { OutgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { after, type Duration, type Instant, seconds } from '#server/domain/time.ts'
import { acceptTimeStamp, timeStampRequest } from '#server/domain/timestamp/time-stamp-request.ts'
import type { Clock } from '#server/ports/clock.ts'
import type {
  TimestampAuthorities,
  TimestampAuthority,
  TimestampFailure,
} from '#server/ports/timestamp-authorities.ts'
import { postForAnswer } from './http-answer.ts'

const NONCE_BYTES = 16
const MOST_BYTES = 64 * 1024

/**
 * Asks by RFC 3161 over HTTP, one after the other.
 *
 * @param options.patience for each
 * @param options.rest so long one that took too long is asked after all others
 * @see RFC 3161, 3.4
 */
export function createTimestampAuthorities(options: {
  networks: OutgoingNetworks
  clock: Clock
  patience?: Duration
  rest?: Duration
}): TimestampAuthorities {
  const { networks, clock, patience = seconds(10), rest = seconds(60) } = options
  const resting = new Map<string, Instant>()

  async function ask(
    authority: TimestampAuthority,
    digest: Uint8Array,
    policy: Parameters<TimestampAuthorities['stamp']>[2],
  ) {
    const request = { digest, nonce: randomBytes(NONCE_BYTES), policy: authority.policy }
    const answer = await postForAnswer(authority.url, timeStampRequest(request), {
      ...TIMESTAMP,
      limit: MOST_BYTES,
      networks,
      signal: AbortSignal.timeout(patience),
      ...(authority.login && { login: authority.login }),
    })
    if (answer.kind === 'failed') {
      if (answer.isSlow) resting.set(authority.url, after(clock.now(), rest))
      return answer.reason
    }
    const accepted = acceptTimeStamp(answer.body, request, {
      anchors: [...(policy.timestampAnchors ?? []), ...policy.anchors],
      candidates: policy.candidates,
      now: clock.now(),
    })
    return accepted.kind === 'refused' ? accepted.fault : accepted
  }

  return {
    async stamp(digest, authorities, policy) {
      const isResting = ({ url }: TimestampAuthority) => clock.now() < (resting.get(url) ?? 0)
      const order = authorities.toSorted((a, b) => Number(isResting(a)) - Number(isResting(b)))
      const failures: TimestampFailure[] = []
      for (const authority of order) {
        const answer = await ask(authority, digest, policy)
        if (typeof answer !== 'string') {
          const { token, time, path } = answer
          return { kind: 'stamped', token, time, path, by: authority.name, failures }
        }
        failures.push({ name: authority.name, reason: answer })
      }
      return { kind: 'unavailable', failures }
    },
  }
}

const TIMESTAMP = { type: 'application/timestamp-query', expected: 'application/timestamp-reply' }
