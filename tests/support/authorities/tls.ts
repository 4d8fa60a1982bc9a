import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { judge } from '#tests/support/judges.ts'

/** A certificate for `rubrica.test`, which signs itself, and its key; `remove` takes the files away. */
export type Pair = { certificate: string; key: string; ca: Buffer; remove(): void }

export const NAME = 'rubrica.test'

export function selfSigned(): Pair {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-tls-'))
  const [certificate, key] = [path.join(folder, 'chain.pem'), path.join(folder, 'key.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const names = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`, '-days', '2']
  const made = judge('openssl')(
    'req',
    '-x509',
    ...kind,
    ...names,
    '-keyout',
    key,
    '-out',
    certificate,
  )
  if (made.status !== 0) throw new Error(made.errors)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  return { certificate, key, ca: readFileSync(certificate), remove }
}

/**
 * A reverse proxy as an office would use it: ends TLS and forwards to `port` on this machine with the client
 * address, host and protocol.
 */
export async function startTlsProxy(
  port: number,
  pair: Pair,
): Promise<{ port: number; stop(): Promise<void> }> {
  const tls = { cert: readFileSync(pair.certificate), key: readFileSync(pair.key) }
  const server = https.createServer(tls, (request, response) => {
    const before = request.headers['x-forwarded-for']
    const visitor = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
    const headers = {
      ...request.headers,
      'x-forwarded-for': before ? `${before}, ${visitor}` : visitor,
      'x-forwarded-proto': 'https',
    }
    const { method, url } = request
    const onward = http.request(
      { host: '127.0.0.1', port, method, path: url, headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
