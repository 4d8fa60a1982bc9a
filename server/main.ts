import { createServer, type Server } from 'node:http'
import path from 'node:path'
import compression from 'compression'
import express, { type ErrorRequestHandler } from 'express'
import pino from 'pino'
import { systemClock } from './adapters/clock.ts'
import { compose } from './compose.ts'
import { ConfigurationError, readConfig } from './config.ts'
import { prepareDemo, prepareDemoFiles } from './demo/prepare-demo.ts'
import { knownMethods, nameRequest, oneOrigin, refuse, sameOrigin } from './web/front-door.ts'
import { createInlineStyles } from './web/inline-styles.ts'
import { securityHeaders } from './web/security-headers.ts'
import { staticFiles } from './web/static-files.ts'

const root = path.resolve(import.meta.dirname, '..')

try {
  await main(process.argv[2] === 'demo' ? 'demo' : 'start')
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function main(mode: 'demo' | 'start'): Promise<void> {
  const config = readConfig(mode)
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: false }))
  const demo = mode === 'demo' ? await prepareDemoFiles(config, systemClock.now()) : undefined
  const { system, close } = await compose(config)
  const welcome = demo && (await prepareDemo(system, config, demo))

  const client = path.join(root, 'build/client')
  const { createApp } = await import(path.join(root, 'build/server/index.js'))
  const isHttps = config.publicOrigin.startsWith('https:')
  const failed: ErrorRequestHandler = (error, request, response, next) => {
    log.error({ err: error, requestId: response.locals.requestId, path: request.path }, 'failed')
    if (response.headersSent) return next(error)
    refuse(response, 500, 'Error del servidor. Por favor, intente más tarde.')
  }

  const app = express()
    .disable('x-powered-by')
    .set('etag', false)
    .set('trust proxy', [...config.trustedProxies])
    .use(nameRequest, securityHeaders({ isHttps }), knownMethods, oneOrigin(config.publicOrigin))
    .use(staticFiles(client))
    .use(sameOrigin(config.publicOrigin))
    .use(compression({ level: 5, brotli: { params: {} } } as compression.CompressionOptions))
    .use(createApp(system, createInlineStyles(client)))
    .use(failed)

  const servers = await listen(app, config.host, config.port)
  console.log(welcome ?? `Rúbrica está en ${config.publicOrigin}`)
  stopGracefully(servers, close)
}

/** `localhost` means both loopback addresses, because browsers try either; nothing else is opened. */
async function listen(app: express.Express, host: string, port: number): Promise<Server[]> {
  const addresses = host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
  const servers: Server[] = []
  for (const [index, address] of addresses.entries()) {
    const server = createServer({ requestTimeout: 600_000, headersTimeout: 30_000 }, app)
    try {
      await new Promise<void>((resolve, reject) =>
        server.once('error', reject).listen(port, address, resolve),
      )
      servers.push(server)
    } catch (error) {
      // A machine without IPv6 still has the first address.
      if (index === 0) throw occupied(error, port)
    }
  }
  return servers
}

function occupied(error: unknown, port: number): unknown {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  return isTaken
    ? new ConfigurationError(`El puerto ${port} está ocupado. Elija otro: PORT=3001 npm run demo`)
    : error
}

/** Lets running requests end, then closes what is open; a second signal ends at once. */
function stopGracefully(servers: Server[], close: () => Promise<void>): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) process.exit(1)
    isStopping = true
    await Promise.all(
      servers.map((server) => {
        server.closeIdleConnections()
        return new Promise((resolve) => server.close(resolve))
      }),
    )
    await close()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}
