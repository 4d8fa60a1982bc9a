import { z } from 'zod'
import { problemDetails } from '#app/http/problem-json.ts'
import type { Call } from './define-call.ts'

type Json = Record<string, unknown>

const schemaRef = (id: string) => ({ $ref: `#/components/schemas/${id}` })

const STATUSES: Record<number, string> = {
  200: 'Done.',
  204: 'Done; no body.',
  400: 'Not JSON, or ambiguous JSON.',
  401: 'No session, or wrong credentials.',
  403: 'Wrong `X-CSRFToken`, no permission, or a duty that comes first.',
  404: 'Not found, or not the user’s own.',
  408: 'The body stopped, or came too slowly.',
  409: 'The current state does not allow it.',
  413: 'More than 64 KiB.',
  415: 'Not `application/json`.',
  422: 'Invalid fields; see `errors`.',
  429: 'Too many attempts; retry after `Retry-After` seconds.',
  500: 'Server error; the log has details under `instance`.',
  507: 'The disk of the server is full; nothing was stored.',
}

/** Returns the calls as OpenAPI 3.1, from the schemas that validate requests and responses. */
export function describeCalls(calls: readonly Call[], publicOrigin: string): Json {
  const paths: Record<string, Json> = {}
  for (const call of calls) {
    const path = `/api/v1${call.template}`
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) }
  }
  return {
    info: {
      title: 'Rúbrica',
      version: '1',
      description:
        'Session tokens are sent in cookies only. Every call but GET requires the value of the cookie `csrftoken`, which any response may set, in the header `X-CSRFToken`. Refusals are RFC 9457 problems. Times are RFC 3339 in UTC.',
    },
    servers: [{ url: publicOrigin }],
    paths,
    components: {
      schemas: schemasOf(calls),
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-session' },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'Created by its owner on Mi Perfil; valid for the signing calls only.',
        },
      },
    },
  }
}

function operationOf(call: Call): Json {
  const isForm = call.method !== 'GET' && call.access !== 'access-token'
  const parameters = [
    ...parametersOf(call.path, 'path'),
    ...parametersOf(call.query, 'query'),
    ...(isForm ? [CSRF_PARAMETER] : []),
  ]
  return {
    operationId: call.name,
    summary: call.summary,
    tags: [call.template.split('/')[1]],
    security: securityOf(call),
    ...(parameters.length > 0 && { parameters }),
    ...(call.request && {
      requestBody: { required: true, content: content('application/json', call.request) },
    }),
    responses: responsesOf(call, isForm),
  }
}

function securityOf({ access }: Call): Json[] {
  if (access === 'session') return [{ session: [] }]
  return access === 'access-token' ? [{ accessToken: [] }] : []
}

const CSRF_PARAMETER = {
  name: 'X-CSRFToken',
  in: 'header',
  required: true,
  description: 'The value of the cookie `csrftoken`.',
  schema: { type: 'string' },
}

function responsesOf(call: Call, isForm: boolean): Json {
  const refusals = new Set<number>([
    ...(call.access === 'session' ? [401] : []),
    ...(call.access === 'access-token' ? [401, 403, 429] : []),
    ...(isForm ? [403] : []),
    ...(call.query ? [422] : []),
    ...(call.request ? [400, 408, 413, 415, 422] : []),
    ...(call.refusals ?? []),
    500,
    507,
  ])
  const good = call.response
    ? { 200: { description: STATUSES[200], content: content('application/json', call.response) } }
    : { 204: { description: STATUSES[204] } }
  const bad = [...refusals]
    .sort((a, b) => a - b)
    .map((status) => [
      status,
      {
        description: STATUSES[status],
        ...(status === 429 && { headers: RETRY_AFTER }),
        content: content('application/problem+json', problemDetails),
      },
    ])
  return { ...good, ...Object.fromEntries(bad) }
}

const RETRY_AFTER = { 'Retry-After': { schema: { type: 'integer' } } }

const content = (type: string, schema: z.ZodType) => ({
  [type]: { schema: schemaRef(idOf(schema)) },
})

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {} } = z.toJSONSchema(schema, { io: 'output' })
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as Json
    const said = description === undefined ? {} : { description }
    return { name, in: place, required: place === 'path', ...said, schema }
  })
}

function idOf(schema: z.ZodType): string {
  const id = schema.meta()?.id
  if (!id) throw new Error('a schema of a call has no name')
  return id
}

/** Requests use the input side of the schemas, responses the output side; shared schemas appear once. */
function schemasOf(calls: readonly Call[]): Json {
  const uri = (id: string) => `#/components/schemas/${id}`
  const [sent, received] = (['input', 'output'] as const).map(
    (io) => z.toJSONSchema(z.globalRegistry, { io, uri }).schemas,
  )
  const requests = new Set(calls.flatMap(({ request }) => (request ? [idOf(request)] : [])))
  return Object.fromEntries(
    Object.keys(received ?? {})
      .sort()
      .map((id) => {
        const { $id: _, $schema: __, ...schema } = (requests.has(id) ? sent : received)?.[id] ?? {}
        return [id, schema]
      }),
  )
}
