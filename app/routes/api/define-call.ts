import type { RouterContextProvider } from 'react-router'
import type { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'

export type Context = Readonly<RouterContextProvider>
type System = ReturnType<typeof systemOf>
type Actor = ReturnType<typeof actorOf>

export const systemOf = (context: Context) => context.get(systemContext)
export const actorOf = (context: Context) => context.get(actorContext)

/** A call as it arrives at its use case: everything that came fits the schemas. */
export type Asked<Path, Query, Body> = {
  system: System
  actor: Actor
  request: Request
  path: Path
  query: Query
  body: Body
}

export type Replied<R> = {
  /** Undefined for 204. */
  body: R
  cookies?: readonly string[]
  headers?: Readonly<Record<string, string>>
}

type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined
type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined

export type CallShape = {
  /** The operation in `openapi.json`. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api/v1`, as `/auth/sessions/{sessionId}`. */
  template: string
  summary: string
  /**
   * `session`: refused with 401 to a stranger. `open-demo`: so, but not in a demo. `proof`: open, and a 401 of
   * it says that what was shown is not right. `access-token`: for a program, which shows a token in the header
   * `Authorization`; cookies count for nothing.
   */
  access: 'everyone' | 'session' | 'open-demo' | 'proof' | 'access-token'
  /** Whether the refresh token is exchanged before the call: always, or for a session whose access ran out. */
  exchange?: 'always' | 'when-needed'
  path?: z.ZodType | undefined
  query?: z.ZodObject | undefined
  request?: z.ZodType | undefined
  /** Absent: 204, without a body. */
  response?: z.ZodType | undefined
  /** Beside those that follow from the rest. */
  refusals?: readonly number[]
}

export type Call = CallShape & {
  reply(asked: Asked<unknown, unknown, unknown>): Promise<Replied<unknown>>
}

/** One call of the API: what it takes, what it answers, and the use case behind it. */
export function defineCall<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
>(
  call: CallShape & { path?: P; query?: Q; request?: B; response?: R } & {
    reply(
      asked: Asked<OutputOf<P>, OutputOf<Q>, OutputOf<B>>,
    ): Promise<Replied<InputOf<R>> | Replied<undefined>>
  },
): Call {
  return call as unknown as Call
}
