import { createContext } from 'react-router'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { System } from '#server/system.ts'
import type { InlineStyles } from '#server/web/inline-styles.ts'

/** What the process knows of a request before the application does. */
export type RequestFacts = {
  /** In the log and in the answer's `X-Request-Id`. */
  id: string
  /** Allows the scripts and styles of this one answer. */
  nonce: string
  ip: string | null
  userAgent: string
}

export const systemContext = createContext<System>()
export const requestContext = createContext<RequestFacts>()
export const inlineStylesContext = createContext<InlineStyles>()
/** Who asks; set by `loadActor` for every route. */
export const actorContext = createContext<Actor>()
