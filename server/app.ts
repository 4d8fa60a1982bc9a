import { randomBytes, randomUUID } from 'node:crypto'
import * as build from 'virtual:react-router/server-build'
import { createRequestHandler as createExpressHandler } from '@react-router/express'
import type {
  Request as ExpressRequest,
  Response as ExpressResponse,
  RequestHandler,
} from 'express'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import {
  drainContext,
  filePatternsContext,
  noteRouteContext,
  pageWriterContext,
  type RequestFacts,
  requestContext,
  resumedPathContext,
  systemContext,
  UNKNOWN_ADDRESS,
} from '#app/http/context.ts'
import { replayRequest } from '#app/http/replay-request.ts'
import { areaOf, routesByArea } from '#app/http/route-areas.ts'
import { replayContext } from '#app/http/step-up.ts'
import type { System } from './system.ts'
import type { Drain } from './web/drain.ts'
import type { PageWriter } from './web/page-writer.ts'

type Outside = { pageWriter: PageWriter; drain: Drain }

/** Pages of strangers, which compile most of what other pages use. */
const FIRST_PAGES = ['/', '/login', '/verify/document']

/** Renders some pages before a request waits: compiling them takes the request thread some hundred milliseconds. */
export async function warmUp(system: System, pageWriter: PageWriter): Promise<void> {
  const { answer, contextFor } = application(system, pageWriter)
  const nonce = randomBytes(18).toString('base64')
  const facts = { id: randomUUID(), nonce, ip: UNKNOWN_ADDRESS, userAgent: '' }
  for (const path of FIRST_PAGES) {
    const request = new Request(new URL(path, system.settings.publicOrigin))
    const page = await answer(request, contextFor(facts, request.headers))
    await page.arrayBuffer()
  }
}

/** Creates the request handler of the application's pages and API. */
export function createApp(system: System, { pageWriter, drain }: Outside): RequestHandler {
  const { builds, mode, contextFor } = application(system, pageWriter)
  const handlerFor = builds.map(
    (one) => createExpressHandler({ build: one, mode, getLoadContext }) as RequestHandler,
  )
  return (request, response, next) => handlerFor(request.path)(request, response, next)

  function getLoadContext(request: ExpressRequest, response: ExpressResponse) {
    const facts = {
      id: response.locals.requestId,
      nonce: response.locals.nonce,
      ip: request.ip ?? UNKNOWN_ADDRESS,
      userAgent: request.get('user-agent') ?? '',
    }
    const context = contextFor(facts, headersOf(request.headers))
    context.set(drainContext, () => drain(request, response))
    context.set(noteRouteContext, (pattern) => {
      response.locals.route = pattern
    })
    return context
  }
}

function application(system: System, pageWriter: PageWriter) {
  const { publicOrigin } = system.settings
  const whole = {
    ...(build as ServerBuild),
    allowedActionOrigins: [new URL(publicOrigin).host],
  }
  const filePatterns = filePatternsOf(whole.routes)
  const mode = import.meta.env.MODE
  const builds = buildsByArea(whole)
  const answerTo = builds.map((one) => createRequestHandler(one, mode))
  const answer: ReturnType<typeof createRequestHandler> = (request, context) =>
    answerTo(new URL(request.url).pathname)(request, context)

  function contextFor(facts: RequestFacts, headers: Headers): RouterContextProvider {
    const context = new RouterContextProvider()
    context.set(systemContext, system)
    context.set(pageWriterContext, pageWriter)
    context.set(filePatternsContext, filePatterns)
    context.set(requestContext, facts)
    context.set(replayContext, async (kept, newCookies) => {
      const again = contextFor(facts, headers)
      again.set(resumedPathContext, kept.path)
      return await answer(replayRequest(kept, { headers, newCookies, publicOrigin }), again)
    })
    return context
  }

  return { builds, mode, answer, contextFor }
}

/** What is made of the build of each area, chosen by the path of a request. */
type ByArea = { map<T>(make: (build: ServerBuild) => T): (pathname: string) => T }

function buildsByArea(whole: ServerBuild): ByArea {
  const areas = [...routesByArea(whole.routes)]
  return {
    map(make) {
      const others = make(whole)
      const made = new Map(areas.map(([area, routes]) => [area, make(withRoutes(whole, routes))]))
      return (pathname) => made.get(areaOf(pathname)) ?? others
    },
  }
}

function withRoutes(whole: ServerBuild, routes: ServerBuild['routes']): ServerBuild {
  const listed = Object.entries(whole.assets.routes).filter(([id]) => id in routes)
  return { ...whole, routes, assets: { ...whole.assets, routes: Object.fromEntries(listed) } }
}

/** `dashboard/documents/:id/evidence.pdf`, for each route whose module has nothing to show. */
function filePatternsOf(routes: ServerBuild['routes']): ReadonlySet<string> {
  const pathsTo = (id: string | undefined): string[] => {
    const route = id === undefined ? undefined : routes[id]
    return route ? [...pathsTo(route.parentId), ...(route.path ? [route.path] : [])] : []
  }
  const files = Object.values(routes).filter((route) => route && !route.module.default)
  return new Set(files.map((route) => pathsTo(route?.id).join('/')))
}

function headersOf(incoming: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const name of ['accept', 'accept-encoding', 'cookie', 'user-agent']) {
    const value = incoming[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return headers
}
