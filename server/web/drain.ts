import type { IncomingMessage, ServerResponse } from 'node:http'
import { BODY_PACE, isTooSlow } from '#server/domain/body-pace.ts'

/** 1.5 times the largest document; no more is read. */
const MOST_BYTES = 320 * 1024 * 1024
const LOOK_MS = 1_000

export type Drain = typeof drain

/**
 * Reads and discards the rest of a request, so that the client sees the response instead of a broken
 * connection. Earlier readers of the request get no more data. If the client sends too much or too slowly, the
 * connection is closed after the response.
 */
export function drain(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve()
  request.removeAllListeners('data')
  let bytes = 0
  const start = performance.now()
  let last = start
  return new Promise((resolve) => {
    const forget = (chunk: Buffer) => {
      bytes += chunk.length
      last = performance.now()
      if (bytes > MOST_BYTES) giveUp()
    }
    const watch = setInterval(() => {
      const now = performance.now()
      if (now - last > BODY_PACE.idle || isTooSlow(bytes, now - start, BODY_PACE)) giveUp()
    }, LOOK_MS)
    function giveUp() {
      request.off('data', forget).pause()
      response.setHeader('Connection', 'close')
      end()
    }
    function end() {
      clearInterval(watch)
      resolve()
    }
    request.once('end', end).once('close', end).on('data', forget).resume()
  })
}
