import { realpathSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import path from 'node:path'
import { inspect, stripVTControlCharacters } from 'node:util'
import express, { type RequestHandler } from 'express'
import { createServer, type HotPayload, isRunnableDevEnvironment, type ViteDevServer } from 'vite'
import type { createApp } from '#server/app.ts'
import type { PageWriter } from '#server/web/page-writer.ts'
import { changeEvent } from './change-event.ts'
import { developmentPolicy } from './development-policy.ts'
import { errorPage } from './error-page.ts'
import { sourcePageWriter } from './source-page-writer.ts'

type App = { createApp: typeof createApp }
type MakeHandler = (create: typeof createApp, pageWriter: PageWriter) => RequestHandler

export type ServedSources = {
  /** Modules, styles and public files, as Vite makes them for the browser. */
  files: RequestHandler
  /** Pages and calls, always from the newest sources. */
  pages: RequestHandler
  /** Notifies open pages of changed sources, over the ports of these servers. */
  watch(servers: readonly Server[]): void
  close(): Promise<void>
}

/** Folders of the checkout that no page is made of, so a change there reloads no page. */
const UNWATCHED = ['.git', 'build', 'data', 'docs', 'server', 'test-results', 'tests']

/**
 * Serves the application from its sources, with Vite in this process.
 *
 * @param dataFolder Vite keeps the libraries that it prepared for the browser in its folder `vite`
 * @param makeHandler is called again whenever a page, or anything that it imports from app/, has changed
 */
export async function serveSources(
  root: string,
  dataFolder: string,
  makeHandler: MakeHandler,
): Promise<ServedSources> {
  // Vite takes its web sockets from one server, and `localhost` is two: this one only passes them on.
  const sockets = createHttpServer()
  const vite = await startVite(root, dataFolder, sockets)
  return {
    files: express.Router().use(developmentPolicy, vite.middlewares),
    pages: newestPages(vite, makeHandler),
    watch(servers) {
      for (const server of servers)
        server.on('upgrade', (...upgrade) => sockets.emit('upgrade', ...upgrade))
    },
    close: () => vite.close(),
  }
}

function startVite(root: string, dataFolder: string, sockets: Server): Promise<ViteDevServer> {
  const cacheDir = path.join(dataFolder, 'vite')
  const unwatched = new Set([dataFolder, ...UNWATCHED.map((folder) => path.join(root, folder))])
  const libraries = realpathSync(path.join(root, 'node_modules'))
  return createServer({
    root,
    cacheDir,
    clearScreen: false,
    server: {
      middlewareMode: true,
      ws: { server: sockets },
      cors: false,
      // Not the whole checkout: the offices' data lies in it.
      fs: { allow: [path.join(root, 'app'), path.join(root, 'server'), libraries, cacheDir] },
      watch: { ignored: (file) => unwatched.has(path.resolve(file)) },
      async hotUpdateEnvironments({ environments }, update) {
        await Promise.all(Object.values(environments).map((environment) => update(environment)))
        // Last, so that a page that reloads now gets the new source.
        environments.client?.hot.send(changeEvent)
      },
    },
  })
}

/** Shows the error over the open pages, as Vite does for the sources that they load. */
function overlayOf(error: unknown): HotPayload {
  const { message, stack = '' } = error instanceof Error ? error : new Error(inspect(error))
  const [plainMessage, plainStack] = [message, stack].map(stripVTControlCharacters)
  return { type: 'error', err: { message: plainMessage ?? '', stack: plainStack ?? '' } }
}

/** Vite returns the same module until one of its sources changes, so each request asks for it again. */
function newestPages(vite: ViteDevServer, makeHandler: MakeHandler): RequestHandler {
  const { ssr } = vite.environments
  if (!isRunnableDevEnvironment(ssr)) throw new Error('Vite cannot run the pages in this process')
  const load = () => ssr.runner.import<App>('/server/app.ts')
  let made: { by: typeof createApp; handler: RequestHandler } | undefined
  // The first load takes seconds: start it now. If it fails, so does the first request, which shows the error.
  load().catch(() => undefined)
  return async (request, response, next) => {
    try {
      const { createApp } = await load()
      if (made?.by !== createApp)
        made = { by: createApp, handler: makeHandler(createApp, sourcePageWriter) }
    } catch (error) {
      console.error(error)
      // An open page that fetches its data shows nothing of the response.
      if (request.path.endsWith('.data')) vite.environments.client.hot.send(overlayOf(error))
      response.status(500).type('html').send(errorPage(error, response.locals.nonce))
      return
    }
    made.handler(request, response, next)
  }
}
