import http from 'node:http'
import type { AddressInfo } from 'node:net'

export type RecordingProxy = {
  address: string
  /** Every byte that came from the browser: request lines, headers, bodies. */
  recorded(): Buffer
  forget(): void
  /** From now on the bodies of answers to addresses with this path come changed. */
  changing(path: string, change: (body: string) => string): void
  close(): Promise<void>
}

/**
 * A proxy that records everything a browser sends. Requests other than plain HTTP (tunnels, sockets) are recorded
 * and refused.
 */
export async function startRecordingProxy(): Promise<RecordingProxy> {
  let chunks: Buffer[] = []
  const changes = new Map<string, (body: string) => string>()
  const recordHead = ({ method, url, rawHeaders }: http.IncomingMessage) =>
    chunks.push(Buffer.from(`${method} ${url}\n${rawHeaders.join('\n')}\n`, 'latin1'))

  const server = http.createServer((request, response) => {
    recordHead(request)
    const { method, url = '', headers } = request
    const change = changes.get(new URL(url).pathname)
    if (change) headers['accept-encoding'] = 'identity'
    const onward = http.request(url, { method, headers, agent: false }, (answer) => {
      if (change) return void answerChanged(answer, response, change)
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.pipe(onward)
  })
  for (const event of ['connect', 'upgrade'] as const)
    server.on(event, (request: http.IncomingMessage, socket) => {
      recordHead(request)
      socket.destroy()
    })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    recorded: () => Buffer.concat(chunks),
    forget() {
      chunks = []
    },
    changing: (path, change) => void changes.set(path, change),
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function answerChanged(
  answer: http.IncomingMessage,
  response: http.ServerResponse,
  change: (body: string) => string,
) {
  const { 'content-length': _, ...headers } = answer.headers
  const body = Buffer.concat(await answer.toArray()).toString('utf8')
  response.writeHead(answer.statusCode ?? 502, headers)
  response.end(change(body))
}
