import type { Server } from 'node:http'
import path from 'node:path'
import compression from 'compression'
import express, { type ErrorRequestHandler } from 'express'
import pino from 'pino'
import { systemClock } from './adapters/clock.ts'
import { compose } from './compose.ts'
import { ConfigurationError, readConfig } from './config.ts'
import { prepareDemo, prepareDemoFiles } from './demo/prepare-demo.ts'
import { serveAuthority } from './demo/serve-authority.ts'
import { offerInstallation } from './features/auth/offer-installation.ts'
import { startJobs } from './jobs/recurring.ts'
import { listen } from './listen.ts'
import type { System } from './system.ts'
import {
  knownMethods,
  nameRequest,
  oneOrigin,
  onlyEncrypted,
  refuse,
  sameOrigin,
} from './web/front-door.ts'
import { hearOut } from './web/hear-out.ts'
import { endWithLastError } from './web/last-resort.ts'
import { logWhatIsPrinted } from './web/log-printed.ts'
import { logRefusals } from './web/log-refusals.ts'
import { createPageWriter } from './web/page-writer.ts'
import { securityHeaders } from './web/security-headers.ts'
import { staticFiles } from './web/static-files.ts'

const root = path.resolve(import.meta.dirname, '..')

try {
  await main(process.argv[2] === 'demo' ? 'demo' : 'start')
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error
  // For the operator's eyes, not for the log.
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}

async function main(mode: 'demo' | 'start'): Promise<void> {
  const config = readConfig(mode)
  const lines = pino.destination({ dest: 2, sync: false })
  const log = pino({ level: config.logLevel }, lines)
  endWithLastError(log, () => lines.flushSync())
  logWhatIsPrinted(log)
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
    .use(nameRequest, logRefusals(log), securityHeaders({ isHttps }), knownMethods)
    .use(oneOrigin(config.publicOrigin), onlyEncrypted(config.publicOrigin))
    .use(demo ? serveAuthority(demo.services, systemClock) : express.Router())
    .use(staticFiles(client))
    .use(sameOrigin(config.publicOrigin))
    .use(compression({ level: 5, brotli: { params: {} } } as compression.CompressionOptions))
    .use(createApp(system, { pageWriter: createPageWriter(client), hearOut }))
    .use(failed)

  const servers = await listen(app, config)
  console.log(welcome ?? (await greeting(system, config.publicOrigin)))
  const stopJobs = startJobs(system, (job, error) => log.error({ err: error, job }, 'job failed'))
  stopGracefully(servers, async () => {
    await stopJobs()
    await close()
  })
}

/** What the operator reads at the start. The link is shown here alone: it is in no log. */
async function greeting(system: System, publicOrigin: string): Promise<string> {
  const here = `Rúbrica está en ${publicOrigin}`
  const offer = await offerInstallation(system)
  if (!offer) return here
  return [
    here,
    '',
    'Todavía no hay ninguna notaría. Quien abra este enlace la crea y es su primer administrador:',
    '',
    `  ${offer.link}`,
    '',
    'Sirve una sola vez, durante 24 horas; al arrancar de nuevo se imprime otro y este deja de servir.',
  ].join('\n')
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
