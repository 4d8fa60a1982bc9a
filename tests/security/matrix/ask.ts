import { createHash } from 'node:crypto'
import { type Answered, clientOf, multipart } from '#tests/e2e/support/http.ts'
import { type MatrixServer, PUBLIC_ORIGIN } from './matrix-server.ts'
import type { Asked, Sent } from './request.ts'
import type { Credentials } from './world.ts'

const FORM = 'application/x-www-form-urlencoded'

/** The same request as a document, and as the client's navigation sends it. */
export type Variant = 'document' | 'data'

export type Request = { path: string; method: string; sent: Sent | undefined }

export function requestFor(
  { world }: Pick<MatrixServer, 'world'>,
  asked: Asked & { method?: string },
  actor: Credentials,
): Request {
  const { to, sent } = asked
  const { things } = world
  return {
    path: typeof to === 'string' ? to : to(things, actor),
    method: asked.method ?? (sent ? 'POST' : 'GET'),
    sent: typeof sent === 'function' ? sent(things, actor) : sent,
  }
}

const digestOf = (bytes: string) => createHash('sha256').update(bytes).digest('base64')

let asks = 0

/** Sends it as this actor does, from a network of its own: limits are not what is asked about here. */
export async function ask(
  { address }: Pick<MatrixServer, 'address'>,
  actor: Credentials,
  { path, method, sent }: Request,
  variant: Variant,
): Promise<Answered> {
  asks += 1
  const network = `10.${(asks >> 16) & 255}.${(asks >> 8) & 255}.${asks & 255}`
  const client = clientOf(PUBLIC_ORIGIN, 'Test/1.0', {
    address,
    headers: { Host: 'rubrica.test', 'X-Forwarded-For': network, 'X-Forwarded-Proto': 'https' },
  })
  for (const [name, value] of Object.entries(actor.cookies)) client.cookies.set(name, value)
  const csrf = /^\/sign(?:\/|$)/.test(path) ? actor.csrf : actor.csrfElsewhere
  const { type, body } = contentOf(sent, csrf)
  const headers = {
    ...(actor.authorization && { Authorization: actor.authorization }),
    ...(method !== 'GET' && { Origin: PUBLIC_ORIGIN, 'X-CSRFToken': csrf }),
    ...(sent?.kind === 'bytes' && { 'Content-Digest': `sha-256=:${digestOf(sent.bytes)}:` }),
    ...(type && { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }),
  }
  const [pathname = '', query] = path.split('?')
  const asData = pathname === '/' ? '/_.data' : `${pathname}.data`
  const target = variant === 'data' ? asData : pathname
  return await client.raw(query === undefined ? target : `${target}?${query}`, {
    method,
    headers,
    ...(type && { body }),
  })
}

function contentOf(sent: Sent | undefined, csrf: string) {
  switch (sent?.kind) {
    case undefined:
      return { type: undefined, body: '' }
    case 'form':
      return {
        type: FORM,
        body: new URLSearchParams(
          [['csrf', csrf], ...sent.fields].map(([a, b]) => [a ?? '', b ?? '']),
        ).toString(),
      }
    case 'json':
      return { type: 'application/json', body: JSON.stringify(sent.body) }
    case 'bytes':
      return { type: 'application/octet-stream', body: sent.bytes }
    case 'parts': {
      const fields = Object.entries({ csrf, ...sent.fields })
      return multipart([
        ...fields.map(([name, content]) => ({ name, content })),
        ...sent.files.map((name) => ({ name, fileName: 'a.bin', content: sent.bytes })),
      ])
    }
  }
}
