import { realpathSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import path from 'node:path'
import express, { type RequestHandler } from 'express'
import { createServer, isRunnableDevEnvironment, type ViteDevServer } from 'vite'
import type { createApp } from '#server/app.ts'
import type { PageWriter } from '#server/web/page-writer.ts'
import { changeEvent } from './change-event.ts'
import { developmentPolicy } from './development-policy.ts'
import { errorPage } from './error-page.ts'
import { sourcePageWriter } from './page-writer.ts'

type App = { createApp: typeof createApp }
type MakeHandler = (create: typeof createApp, pageWriter: PageWriter) => RequestHandler

export type ServedSources = {
  /** The modules, styles and public files, as Vite makes them for the browser. */
  files: RequestHandler
  /** The pages and calls, always of the newest sources. */
  pages: RequestHandler
  /** Tells the pages that are open of changes of their sources, over the connections of these servers. */
  watch(servers: readonly Server[]): void
  close(): Promise<void>
}

/** Folders of the checkout of which no page is made; what is written there reloads none. */
const UNWATCHED = ['.git', 'build', 'data', 'docs', 'server', 'test-results', 'tests']

/**
 * Serves the application from its sources, through Vite in this process.
 *
 * @param dataFolder where Vite keeps the libraries that it has prepared for the browser
 * @param makeHandler puts the newest pages together
 */
export async function serveSources(
  root: string,
  dataFolder: string,
  makeHandler: MakeHandler,
): Promise<ServedSources> {
  // Vite wants one server to listen on for its sockets; `localhost` is two.
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
      // Not the whole checkout: the data of the offices lies in it.
      fs: { allow: [path.join(root, 'app'), path.join(root, 'server'), libraries, cacheDir] },
      watch: { ignored: (file) => unwatched.has(path.resolve(file)) },
      async hotUpdateEnvironments({ environments }, update) {
        // The server's first: a page that reloads must not get what was there before.
        await Promise.all(Object.values(environments).map((environment) => update(environment)))
        environments.client?.hot.send(changeEvent)
      },
    },
  })
}

/** The module is asked for at every request: Vite gives the same one until something in it changed. */
function newestPages(vite: ViteDevServer, makeHandler: MakeHandler): RequestHandler {
  const { ssr } = vite.environments
  if (!isRunnableDevEnvironment(ssr)) throw new Error('Vite cannot run the pages in this process')
  let made: { by: typeof createApp; handler: RequestHandler } | undefined
  return async (request, response, next) => {
    try {
      const { createApp } = await ssr.runner.import<App>('/server/app.ts')
      if (made?.by !== createApp) made = { by: createApp, handler: makeHandler(createApp, sourcePageWriter) }
    } catch (error) {
      console.error(error)
      response.status(500).type('html').send(errorPage(error, response.locals.nonce))
      return
    }
    made.handler(request, response, next)
  }
}
