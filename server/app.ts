import { randomBytes, randomUUID } from 'node:crypto'
import * as build from 'virtual:react-router/server-build'
import { createRequestHandler as createExpressHandler } from '@react-router/express'
import type { RequestHandler } from 'express'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import {
  drainContext,
  filePatternsContext,
  pageWriterContext,
  type RequestFacts,
  requestContext,
  resumedPathContext,
  systemContext,
  UNKNOWN_ADDRESS,
} from '#app/http/context.ts'
import { replayRequest } from '#app/http/replay-request.ts'
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
  const { ours, mode, contextFor } = application(system, pageWriter)
  return createExpressHandler({
    build: ours,
    mode,
    getLoadContext(request, response) {
      const facts = {
        id: response.locals.requestId,
        nonce: response.locals.nonce,
        ip: request.ip ?? UNKNOWN_ADDRESS,
        userAgent: request.get('user-agent') ?? '',
      }
      const context = contextFor(facts, headersOf(request.headers))
      context.set(drainContext, () => drain(request, response))
      return context
    },
  }) as RequestHandler
}

function application(system: System, pageWriter: PageWriter) {
  const { publicOrigin } = system.settings
  const ours = {
    ...(build as ServerBuild),
    allowedActionOrigins: [new URL(publicOrigin).host],
  }
  const filePatterns = filePatternsOf(ours.routes)
  const mode = import.meta.env.MODE
  const answer = createRequestHandler(ours, mode)

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

  return { ours, mode, answer, contextFor }
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
