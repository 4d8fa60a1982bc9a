import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of a connection that wait for their turn; with more it is closed. Browsers and proxies send none. */
export const MOST_WAITING_REQUESTS = 16

/**
 * Handles the requests of one connection one after the other. Node parses all that a client sends without waiting for
 * an answer and would handle them at once: a thousand fit into 64 KB, and everybody else would wait for them.
 *
 * If the connection closes first, the requests that wait are never handled.
 *
 * @see RFC 9112, 9.3.2
 */
export function inTurn(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>()

  function wait(socket: Socket, change: 1 | -1): number {
    const count = (waiting.get(socket) ?? 0) + change
    waiting.set(socket, count)
    return count
  }

  return (request, response) => {
    const { socket } = request
    if (response.socket) return handle(request, response)
    if (wait(socket, 1) > MOST_WAITING_REQUESTS) return void socket.destroy()
    // A response gets the connection when the one before it was sent.
    response.once('socket', () => {
      wait(socket, -1)
      handle(request, response)
    })
  }
}
