import * as build from 'virtual:react-router/server-build'
import { createRequestHandler } from '@react-router/express'
import type { RequestHandler } from 'express'
import { RouterContextProvider, type ServerBuild } from 'react-router'
import { inlineStylesContext, requestContext, systemContext } from '#app/http/context.ts'
import type { System } from './system.ts'
import type { InlineStyles } from './web/inline-styles.ts'

/** The pages and calls of the application, as a handler that only needs the outside. */
export function createApp(system: System, inlineStyles: InlineStyles): RequestHandler {
  const host = new URL(system.settings.publicOrigin).host
  return createRequestHandler({
    build: { ...(build as ServerBuild), allowedActionOrigins: [host] },
    mode: 'production',
    getLoadContext(request, response) {
      const context = new RouterContextProvider()
      context.set(systemContext, system)
      context.set(inlineStylesContext, inlineStyles)
      context.set(requestContext, {
        id: response.locals.requestId,
        nonce: response.locals.nonce,
        ip: request.ip ?? 'desconocida',
        userAgent: request.get('user-agent') ?? '',
      })
      return context
    },
  }) as RequestHandler
}
