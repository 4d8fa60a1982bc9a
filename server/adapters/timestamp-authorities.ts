import { randomBytes } from 'node:crypto'
import type { OutgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, type Duration, type Instant, seconds } from '#server/domain/time.ts'
import { timeStampRequest } from '#server/domain/timestamp/time-stamp-request.ts'
import type { Clock } from '#server/ports/clock.ts'
import type { PdfWork } from '#server/ports/pdf-work.ts'
import type {
  TimestampAuthorities,
  TimestampAuthority,
  TimestampFailure,
} from '#server/ports/timestamp-authorities.ts'
import { isSilence, postForAnswer } from './http-answer.ts'
import { acceptStamp } from './pdf-work/accept-stamp.ts'

const NONCE_BYTES = 16
const MOST_BYTES = 64 * 1024

/**
 * Asks by RFC 3161 over HTTP, one after the other.
 *
 * @param options.accept reads an answer; absent in a program that may wait, a server uses another thread
 * @param options.patience for each
 * @param options.rest so long one that took too long is asked after all others
 * @see RFC 3161, 3.4
 */
export function createTimestampAuthorities(options: {
  accept?: PdfWork['acceptStamp']
  networks: OutgoingNetworks
  clock: Clock
  patience?: Duration
  rest?: Duration
}): TimestampAuthorities {
  const { networks, clock, patience = seconds(10), rest = seconds(60) } = options
  const accept = options.accept ?? (async (...asked) => acceptStamp(...asked))
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
      return failed(answer.reason, isSilence(answer))
    }
    const answered = { answer: answer.body, request, now: clock.now() }
    const accepted = await accept(answered, policy).catch(codeOfProblem)
    if (typeof accepted === 'string') return failed(accepted)
    return accepted.kind === 'refused' ? failed(accepted.fault) : accepted
  }

  return {
    async stamp(digest, authorities, policy) {
      const isResting = ({ url }: TimestampAuthority) => clock.now() < (resting.get(url) ?? 0)
      const order = authorities.toSorted((a, b) => Number(isResting(a)) - Number(isResting(b)))
      const failures: TimestampFailure[] = []
      for (const authority of order) {
        const answer = await ask(authority, digest, policy)
        const { id, name } = authority
        if (answer.kind === 'accepted') {
          const { token, time, pathEnds } = answer
          return { kind: 'stamped', token, time, pathEnds, by: name, byId: id, failures }
        }
        failures.push({ id, name, reason: answer.reason, isSilent: answer.isSilent })
      }
      return { kind: 'unavailable', failures }
    },
  }
}

const failed = (reason: string, isSilent = false) => ({ kind: 'failed', reason, isSilent }) as const

/** An answer that takes too much to read is none. */
function codeOfProblem(error: unknown): string {
  if (error instanceof Problem) return error.code
  throw error
}

const TIMESTAMP = { type: 'application/timestamp-query', expected: 'application/timestamp-reply' }
