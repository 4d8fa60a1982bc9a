import { createContext } from 'react-router'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { System } from '#server/system.ts'
import type { PageWriter } from '#server/web/page-writer.ts'
import type { FormEntries } from './body.ts'

/**
 * In place of the address of a client that closed the connection before its request was read. All of them share
 * the limits of one network. Lists show it as it is: es-MX.
 */
export const UNKNOWN_ADDRESS = 'desconocida'

/** Facts of a request that the server knows before the application runs. */
export type RequestFacts = {
  /** Appears in the log and in the `X-Request-Id` header. */
  id: string
  /** CSP nonce of this response. */
  nonce: string
  /** As text, without port. */
  ip: string
  userAgent: string
}

/** A browser without a session: a random id to which its forms are bound. */
export type Browser = { id: string; isNew: boolean }

export const systemContext = createContext<System>()
export const requestContext = createContext<RequestFacts>()
/** Drains the rest of the request body. A replayed form has nothing left to drain. */
export const drainContext = createContext<() => Promise<void>>(() => Promise.resolve())
/** Told the pattern of the route that answers. A replayed form is part of the request that replays it. */
export const noteRouteContext = createContext<(pattern: string) => void>(() => {})
/** The patterns of the routes without a page, without a slash before them: files, and addresses that only take forms. */
export const filePatternsContext = createContext<ReadonlySet<string>>()
export const pageWriterContext = createContext<PageWriter>()
export const browserContext = createContext<Browser>()
/** The actor of the request; `loadActor` sets it for every route. */
export const actorContext = createContext<Actor>()
/** The fields of the form, to replay it after a step-up; null if it had files, or without a form. */
export const entriesContext = createContext<FormEntries | null>(null)
/** The path of the form that this response answers, if the form was replayed from another address. */
export const resumedPathContext = createContext<string | null>(null)
