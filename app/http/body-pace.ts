import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { BODY_PACE, type BodyPace, isTooSlow } from '#server/domain/body-pace.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Duration } from '#server/domain/time.ts'

/**
 * The same bytes; fails when they come too slowly. Only the time counts in which we wait for the client, not that in
 * which the client waits for us.
 *
 * Stays unread after a failure: destroying the body would close the connection before the response.
 */
export function pacedBody(body: Readable, pace: BodyPace = BODY_PACE): Readable {
  const paced = Readable.from(atPace(body, pace), { objectMode: false })
  // Without a listener, a failure after a refusal would crash the process.
  return paced.on('error', () => undefined)
}

async function* atPace(body: Readable, pace: BodyPace): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body.iterator({ destroyOnReturn: false })
  let bytes = 0
  let waited = 0
  for (;;) {
    const start = performance.now()
    const next = await within(pace.idle, chunks.next())
    waited += performance.now() - start
    if (next.done) return
    bytes += next.value.length
    if (isTooSlow(bytes, waited, pace))
      throw new Problem('too-slow', `${bytes} bytes in ${Math.round(waited)} ms`)
    yield next.value
  }
}

/** @throws {Problem} `too-slow`, `bad-request` */
async function within(
  limit: Duration,
  next: Promise<IteratorResult<Uint8Array>>,
): Promise<IteratorResult<Uint8Array>> {
  const timer = new AbortController()
  const late = pause(limit, 'late' as const, { signal: timer.signal })
  try {
    const found = await Promise.race([next, late])
    if (found === 'late') throw new Problem('too-slow', `no bytes for ${limit} ms`)
    return found
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('bad-request', 'the body ended early', { cause: error })
  } finally {
    timer.abort()
  }
}
