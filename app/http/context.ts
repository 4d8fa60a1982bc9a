import { createContext } from 'react-router'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { System } from '#server/system.ts'
import type { PageWriter } from '#server/web/page-writer.ts'
import type { FormEntries } from './body.ts'

/** What the process knows of a request before the application does. */
export type RequestFacts = {
  /** In the log and in the answer's `X-Request-Id`. */
  id: string
  /** Allows the scripts and styles of this one answer. */
  nonce: string
  /** As text, without port. */
  ip: string
  userAgent: string
}

/** A browser before anybody signs in: a random name, to which its forms are bound. */
export type Browser = { id: string; isNew: boolean }

export const systemContext = createContext<System>()
export const requestContext = createContext<RequestFacts>()
/** Reads and forgets what is left of the request. A form that is sent again has nothing left. */
export const hearOutContext = createContext<() => Promise<void>>(() => Promise.resolve())
export const pageWriterContext = createContext<PageWriter>()
export const browserContext = createContext<Browser>()
/** Who asks; set by `loadActor` for every route. */
export const actorContext = createContext<Actor>()
/** The form that was read, for whoever must first prove who they are; null when it had files, or none came. */
export const entriesContext = createContext<FormEntries | null>(null)
/** Where the form belongs that this answer is about, when it was resumed at another address. */
export const resumedPathContext = createContext<string | null>(null)
