import type { RouterContextProvider } from 'react-router'
import type { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'

export type Context = Readonly<RouterContextProvider>
type System = ReturnType<typeof systemOf>
type Actor = ReturnType<typeof actorOf>

export const systemOf = (context: Context) => context.get(systemContext)
export const actorOf = (context: Context) => context.get(actorContext)

/** A call with its validated parameters. */
export type CallArgs<Path, Query, Body> = {
  system: System
  actor: Actor
  request: Request
  path: Path
  query: Query
  body: Body
}

export type Reply<R> = {
  /** Undefined for 204. */
  body: R
  cookies?: readonly string[]
  headers?: Readonly<Record<string, string>>
}

type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined
type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined

export type CallShape = {
  /** The operation id in `openapi.json`. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below `/api/v1`: `/auth/sessions/{sessionId}`. */
  template: string
  summary: string
  /**
   * `session`: 401 without a session. `open-demo`: the same, but open in a demo. `proof`: open; its 401
   * means wrong credentials. `access-token`: for programs, which send a token in the header
   * `Authorization`; cookies are ignored.
   */
  access: 'everyone' | 'session' | 'open-demo' | 'proof' | 'access-token'
  /** Whether the session is refreshed before the call: always, or if its access token has expired. */
  exchange?: 'always' | 'when-needed'
  path?: z.ZodType | undefined
  query?: z.ZodObject | undefined
  request?: z.ZodType | undefined
  /** Absent: 204, without a body. */
  response?: z.ZodType | undefined
  /** Statuses of refusals that do not follow from the other fields. */
  refusals?: readonly number[]
}

export type Call = CallShape & {
  reply(args: CallArgs<unknown, unknown, unknown>): Promise<Reply<unknown>>
}

/** Defines a call of the API: its schemas and the function behind it. */
export function defineCall<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
>(
  call: CallShape & { path?: P; query?: Q; request?: B; response?: R } & {
    reply(
      args: CallArgs<OutputOf<P>, OutputOf<Q>, OutputOf<B>>,
    ): Promise<Reply<InputOf<R>> | Reply<undefined>>
  },
): Call {
  return call as unknown as Call
}
