import type { IncomingMessage, ServerResponse } from 'node:http'

/** The largest document, and half as much again: of whoever sends more no more is read. */
const MOST_BYTES = 320 * 1024 * 1024

export type HearOut = typeof hearOut

/**
 * Reads and forgets what is left of a request, so that whoever sends it sees the answer and not a broken
 * connection. Whoever had begun to read gets no more of it. The connection of one who sends without end is
 * closed behind the answer.
 */
export function hearOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
