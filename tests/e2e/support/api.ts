import { expect } from '@playwright/test'
import { z } from 'zod'
import type { ApiBody } from './api-body.ts'
import { type Answered, type Client, clientOf, type Sent } from './http.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type Schema = { $ref?: string }
type Operation = {
  operationId: string
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
export type OpenApi = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}

export type Answer = {
  status: number
  headers: Answered['headers']
  body: ApiBody
  requestId: string
}

export type Contract = ReturnType<typeof contractOf>

/** The description of the API, as a program reads it. */
export function contractOf(document: OpenApi) {
  const schemas = new Map<string, z.ZodType>()

  function operationAt(method: string, path: string): Operation | undefined {
    const [pathname = ''] = path.split('?')
    const known = Object.keys(document.paths)
    const isAt = (template: string) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname)
    const template = known.find((one) => one === pathname) ?? known.find(isAt)
    return template ? document.paths[template]?.[method.toLowerCase()] : undefined
  }

  function schemaAt(ref: string): z.ZodType {
    const known = schemas.get(ref)
    if (known) return known
    const whole = JSON.stringify({ $ref: ref, $defs: document.components.schemas })
    const schema = z.fromJSONSchema(
      JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')),
    )
    schemas.set(ref, schema)
    return schema
  }

  return {
    document,
    schemaAt,
    /** Fails unless the API description documents this answer for this call. */
    check(method: string, path: string, { status, headers, text }: Answered): void {
      const what = `${method} ${path} → ${status} ${text}`
      const promised = operationAt(method, path)?.responses[status]
      // Answers outside of any operation: an unknown path or method, a static file.
      const isNowhere = !promised && [404, 405].includes(status)
      if (path === '/api/v1/openapi.json') return
      if (!promised && !isNowhere) throw new Error(`${what} is not described`)
      if (status === 204) {
        expect(text, what).toBe('')
        return
      }
      const type = status === 200 ? 'application/json' : 'application/problem+json'
      expect(headers['content-type'], what).toBe(`${type}; charset=utf-8`)
      const ref = isNowhere
        ? '#/components/schemas/problem'
        : promised?.content?.[type]?.schema.$ref
      if (!ref) throw new Error(`${what} is described without ${type}`)
      const { error } = schemaAt(ref).safeParse(JSON.parse(text))
      expect(error && z.prettifyError(error), what).toBeUndefined()
    },
  }
}

const SECRETS = ['__Host-session', '__Host-refresh_token', '__Host-sign-in', '__Host-browser']

export type Program = {
  client: Client
  /** Calls `/api/v1/auth/` + `path` with token, origin and JSON; checks the answer against the API description. */
  call(method: Method, path: string, body?: unknown): Promise<Answer>
  /** Like `call`, with the given headers or body. */
  send(method: string, path: string, sent: Sent): Promise<Answer>
}

/** A program that keeps cookies and knows the description. */
export function programOf(origin: string, contract: Contract, userAgent?: string): Program {
  const client = clientOf(origin, userAgent)

  async function send(method: string, path: string, sent: Sent): Promise<Answer> {
    const address = path.startsWith('/') ? path : `/api/v1/auth/${path}`
    const answered = await client.raw(address, { ...sent, method })
    if (method !== 'HEAD') contract.check(method, address, answered)
    mustKeepSecrets(client, answered, `${method} ${path}`)
    const { status, headers, text } = answered
    const requestId = String(headers['x-request-id'])
    return { status, headers, requestId, body: text === '' ? undefined : JSON.parse(text) }
  }

  async function call(method: Method, path: string, body?: unknown): Promise<Answer> {
    if (method !== 'GET' && !client.cookies.has('csrftoken')) await send('GET', 'health', {})
    const content = body ?? (method === 'POST' ? {} : undefined)
    return await send(method, path, {
      headers: {
        ...(method !== 'GET' && { 'X-CSRFToken': client.cookies.get('csrftoken') }),
        ...(content !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(content !== undefined && { body: JSON.stringify(content) }),
    })
  }

  return { client, call, send }
}

/** Checks the headers that every answer must have or must not have. */
function mustKeepSecrets({ cookies }: Client, { headers, text }: Answered, what: string): void {
  for (const name of SECRETS) {
    const value = cookies.get(name)
    if (value) expect(text.includes(value), `${what} tells ${name}`).toBe(false)
  }
  expect(headers['cache-control'], what).toBe('no-store')
  expect(headers['content-security-policy'], what).toContain(
    "default-src 'none'; frame-ancestors 'none'",
  )
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
}
