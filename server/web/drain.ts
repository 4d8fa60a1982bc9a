import type { IncomingMessage, ServerResponse } from 'node:http'

/** 1.5 times the largest document; no more is read. */
const MOST_BYTES = 320 * 1024 * 1024

export type Drain = typeof drain

/**
 * Reads and discards the rest of a request, so that the client sees the response instead of a broken
 * connection. Earlier readers of the request get no more data. If the client sends too much, the connection is
 * closed after the response.
 */
export function drain(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve()
  request.removeAllListeners('data')
  let bytes = 0
  return new Promise((resolve) => {
    const forget = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MOST_BYTES) return
      request.off('data', forget).pause()
      response.setHeader('Connection', 'close')
      resolve()
    }
    request.once('end', resolve).once('close', resolve).on('data', forget).resume()
  })
}
