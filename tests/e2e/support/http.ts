import http from 'node:http'
import type { Readable } from 'node:stream'

export type Sent = {
  method?: string
  headers?: http.OutgoingHttpHeaders
  body?: string | Uint8Array | Readable
  /** The address of this machine from which it comes. */
  localAddress?: string
}
export type Answered = { status: number; headers: http.IncomingHttpHeaders; text: string }

/**
 * One request, exactly as given: follows no redirect and adds no header but `Host`. Browsers would refuse to send
 * most of what an attacker can.
 */
export function send(address: string, sent: Sent = {}) {
  const { method = 'GET', headers = {}, body, localAddress } = sent
  return new Promise<Answered>((resolve, reject) => {
    const from = localAddress === undefined ? {} : { localAddress }
    const options = { method, headers, agent: false, ...from }
    const request = http.request(address, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          // An address is found in it wherever its line may break.
          text: Buffer.concat(chunks).toString('utf8').replaceAll('<wbr/>', ''),
        }),
      )
    })
    request.on('error', reject)
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array)
      request.end(body)
    else
      body
        .on('error', (error) => {
          request.destroy()
          reject(error)
        })
        .pipe(request)
  })
}

export type Part = { name: string; fileName?: string; content: string | Uint8Array }

/** A multipart form with its parts in this order, and the header that goes with it. */
export function multipart(parts: readonly Part[]): { type: string; body: Uint8Array } {
  const boundary = 'rubrica-3f1c9a'
  const chunks = parts.flatMap(({ name, fileName, content }) => [
    Buffer.from(`--${boundary}\r\n${headOf(name, fileName)}\r\n\r\n`),
    Buffer.from(content as Uint8Array),
    Buffer.from('\r\n'),
  ])
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(chunks) }
}

function headOf(name: string, fileName: string | undefined): string {
  const disposition = `Content-Disposition: form-data; name="${name}"`
  return fileName === undefined
    ? disposition
    : `${disposition}; filename="${fileName}"\r\nContent-Type: application/octet-stream`
}

/** An HTTP client that stores cookies and sends them back. */
export type Client = {
  readonly origin: string
  cookies: Map<string, string>
  get(path: string, headers?: http.OutgoingHttpHeaders): Promise<Answered>
  /** A form from a page of ours: with its token, from its origin. */
  post(path: string, fields: Record<string, string>): Promise<Answered>
  postParts(path: string, parts: readonly Part[]): Promise<Answered>
  raw(path: string, sent: Sent): Promise<Answered>
  /** The token that the page at `path` puts into its forms. */
  token(path?: string): Promise<string>
}

/** Connects to this address instead of the origin, as a proxy does, with headers about the original client. */
export type Proxy = { address: string; headers: http.OutgoingHttpHeaders }

/** @param userAgent by which lists of sessions name it */
export function clientOf(origin: string, userAgent = 'Test/1.0', proxy?: Proxy): Client {
  const cookies = new Map<string, string>()
  let token: string | undefined

  async function raw(path: string, sent: Sent): Promise<Answered> {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const own = { 'User-Agent': userAgent, ...(cookie && { Cookie: cookie }) }
    const headers = { ...own, ...proxy?.headers, ...sent.headers }
    const answer = await send((proxy?.address ?? origin) + path, { ...sent, headers })
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      // Sign-in and sign-out change the CSRF token.
      if (name === '__Host-session' && cookies.has(name) !== (value !== '')) token = undefined
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    return answer
  }

  async function freshToken(path = '/login'): Promise<string> {
    const { text } = await raw(path, {})
    const found = /name="csrf" value="([^"]+)"/.exec(text)?.[1]
    if (!found) throw new Error(`no form at ${path}`)
    return found
  }

  return {
    origin,
    cookies,
    get: (path, headers = {}) => raw(path, { headers }),
    async post(path, fields) {
      token ??= await freshToken(cookies.has('__Host-session') ? '/dashboard' : '/login')
      const body = new URLSearchParams({ csrf: token, ...fields }).toString()
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin }
      return raw(path, { method: 'POST', headers, body })
    },
    async postParts(path, parts) {
      token ??= await freshToken(cookies.has('__Host-session') ? '/dashboard' : '/login')
      const { type, body } = multipart([{ name: 'csrf', content: token }, ...parts])
      const headers = { 'Content-Type': type, Origin: origin }
      return raw(path, { method: 'POST', headers, body })
    },
    raw,
    token: freshToken,
  }
}

/** A client in which the user has signed in. */
export async function signedInClient(
  origin: string,
  user: { email: string; password: string },
  userAgent?: string,
): Promise<Client> {
  const client = clientOf(origin, userAgent)
  const { status } = await client.post('/login', { email: user.email, password: user.password })
  if (status !== 303) throw new Error(`${user.email} could not sign in: ${status}`)
  return client
}
