import { type ClientRequest, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What becomes of a request instead of its answer. */
export type Fault =
  /** This status, as a server that is overloaded or broken answers. */
  | { kind: 'status'; status: number; code: string }
  /** The connection breaks before the request has passed. */
  | { kind: 'reset' }
  /** The request passes, and the connection breaks instead of its answer. */
  | { kind: 'lost-answer' }
  /** The connection breaks after so many bytes of the answer. */
  | { kind: 'cut'; after: number }
  /** The connection stays open, and there is no answer. */
  | { kind: 'silent' }
  /** The connection stays open, and nothing comes after so many bytes of the answer. */
  | { kind: 'stalled'; after: number }
  /** The answer begins with another byte. */
  | { kind: 'changed' }
  /** A byte of what is sent is changed on the way. */
  | { kind: 'changed-request' }

export type Passed = { method: string; path: string; range: string | undefined }

/** A proxy on loopback that fails as a store far away may. Ends with the test. */
export async function faultyProxy(target: string) {
  const seen: Passed[] = []
  let sent = 0
  let faultOf: (passed: Passed) => Fault | undefined = () => undefined
  const { hostname, port } = new URL(target)

  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    const passed = { method, path: url, range: headers.range }
    seen.push(passed)
    const fault = faultOf(passed)
    if (fault?.kind === 'reset') return void incoming.socket.destroy()
    if (fault?.kind === 'silent') return void incoming.resume()
    if (fault?.kind === 'status') {
      incoming.resume()
      outgoing.writeHead(fault.status, { 'Content-Type': 'application/xml' })
      return void outgoing.end(
        `<?xml version="1.0"?><Error><Code>${fault.code}</Code><Message>fault</Message></Error>`,
      )
    }
    const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
      if (fault?.kind === 'lost-answer') {
        answer.resume()
        return void answer.on('end', () => incoming.socket.destroy())
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      // Swift sends a body with an error all the same.
      if (method === 'HEAD') return void outgoing.end()
      let first = true
      answer.on('data', (piece: Buffer) => {
        if (fault?.kind === 'changed' && first) piece[0] = piece[0]! ^ 1
        first = false
        if (fault?.kind === 'cut') {
          outgoing.write(piece.subarray(0, fault.after))
          answer.destroy()
          return void setImmediate(() => incoming.socket.destroy())
        }
        if (fault?.kind === 'stalled') {
          outgoing.write(piece.subarray(0, fault.after))
          return void answer.pause()
        }
        sent += piece.length
        if (!outgoing.write(piece)) {
          answer.pause()
          outgoing.once('drain', () => answer.resume())
        }
      })
      answer.on('end', () => outgoing.end())
      answer.on('error', () => outgoing.destroy())
    })
    onward.on('error', () => {
      if (!outgoing.writableEnded) outgoing.destroy()
    })
    outgoing.on('close', () => onward.destroy())
    passOn(incoming, onward, fault?.kind === 'changed-request')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** All requests so far. */
    seen,
    /** Bytes of the answers so far. */
    sent: () => sent,
    /** Decides about each request from now on. */
    failing(decide: typeof faultOf) {
      faultOf = decide
    },
    /** The next requests of this kind fail, so many. */
    failNext(count: number, fault: Fault, isMeant: (passed: Passed) => boolean = () => true) {
      let left = count
      faultOf = (passed) => (isMeant(passed) && left-- > 0 ? fault : undefined)
    },
  }
}

function passOn(incoming: IncomingMessage, onward: ClientRequest, isChanged: boolean): void {
  let first = isChanged
  incoming.on('data', (piece: Buffer) => {
    if (first) piece[0] = piece[0]! ^ 1
    first = false
    if (!onward.write(piece)) {
      incoming.pause()
      onward.once('drain', () => incoming.resume())
    }
  })
  incoming.on('end', () => onward.end())
  incoming.on('error', () => onward.destroy())
}
