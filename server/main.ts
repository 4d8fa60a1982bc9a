import type { Server } from 'node:http'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import compression from 'compression'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import pino from 'pino'
import { systemClock } from './adapters/clock.ts'
import { compose, needsNewerCode } from './compose.ts'
import { type Config, ConfigurationError, type Mode, readConfig } from './config.ts'
import { networkOf } from './domain/identity/attempts/network.ts'
import { seconds } from './domain/time.ts'
import { offerInstallation } from './features/auth/offer-installation.ts'
import { endJobLead, leadJobs, readJobLeader } from './features/installation/lead-jobs.ts'
import { noteJobRun, readJobRuns } from './features/installation/note-job-run.ts'
import { reachDatabase } from './features/installation/reach-database.ts'
import { readFigures } from './features/installation/read-figures.ts'
import { takePart } from './jobs/leader.ts'
import { startJobs } from './jobs/recurring.ts'
import { listen } from './listen.ts'
import type { MeasuredState, Meter } from './metrics/meter.ts'
import { publishMetrics } from './metrics/publish-metrics.ts'
import type { System } from './system.ts'
import { drain } from './web/drain.ts'
import { exitOnUncaught } from './web/exit-on-uncaught.ts'
import { createReadiness, health } from './web/health.ts'
import { inTurn } from './web/in-turn.ts'
import { logConsole } from './web/log-console.ts'
import { logRequests } from './web/log-requests.ts'
import { logSlow } from './web/log-slow.ts'
import { loggedPath } from './web/logged-path.ts'
import { createPageWriter } from './web/page-writer.ts'
import {
  allowKnownMethods,
  assignRequestId,
  oneOrigin,
  onlyEncrypted,
  refuse,
  sameOrigin,
} from './web/request-guards.ts'
import { securityHeaders } from './web/security-headers.ts'
import { shedLoad } from './web/shed-load.ts'
import { staticFiles } from './web/static-files.ts'

const root = path.resolve(import.meta.dirname, '..')

/** The handlers of the application. */
type Served = {
  files: RequestHandler
  pages: RequestHandler
  /** Notifies open pages of changed sources, over the ports of these servers. */
  watch?(servers: readonly Server[]): void
  close?(): Promise<void>
}

const MODES: readonly Mode[] = ['demo', 'dev', 'start']

const mode = MODES.find((one) => one === process.argv[2]) ?? 'start'

try {
  await main()
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error
  // For the operator's eyes, not for the log.
  process.stderr.write(`${error.message}\n`)
  // With 1 the development server starts again when the developer is back on the branch with the migration.
  process.exitCode = mode === 'dev' && needsNewerCode(error) ? 1 : 2
}

async function main(): Promise<void> {
  const config = readConfig(mode)
  const lines = pino.destination({ dest: 2, sync: false })
  const log = pino({ level: config.logLevel }, lines)
  exitOnUncaught(log, () => lines.flushSync())
  // Developers read library output directly; in production it becomes log lines.
  if (mode !== 'dev') logConsole(log)
  const demo = mode === 'start' ? undefined : await openDemo(config)
  const { meter, tracer, meterAndTracer } = await openObservers(config)
  const { system, close } = await compose(config, {
    reportDelay: logSlow(log),
    reportEnd: (error) => log.warn({ err: error }, 'public verification'),
    meter: meterAndTracer,
  })
  const welcome = await demo?.prepare(system)

  const served = mode === 'dev' ? await serveSources(system, config) : await serveBuild(system)
  const isHttps = config.publicOrigin.startsWith('https:')
  const failed: ErrorRequestHandler = (error, request, response, next) => {
    const path = loggedPath(request.path)
    log.error({ err: error, requestId: response.locals.requestId, path }, 'failed')
    if (response.headersSent) return next(error)
    refuse(response, 500, 'Error del servidor. Por favor, intente más tarde.')
  }

  const readiness = createReadiness(() => reachDatabase(system))
  const app = express()
    .disable('x-powered-by')
    .set('etag', false)
    .set('trust proxy', [...config.trustedProxies])
    .use(assignRequestId, logRequests(log, meter), health(readiness))
    .use(securityHeaders({ isHttps }), allowKnownMethods)
    .use(oneOrigin(config.publicOrigin), onlyEncrypted(config.publicOrigin))
    .use(demo?.services ?? express.Router())
    .use(served.files)
    .use(sameOrigin(config.publicOrigin), shedLoad({ networkOf, shed: meter?.shed }))
    // After shedLoad, which starts a request while the span of another one may be active.
    .use(tracer?.request ?? express.Router())
    .use(compression({ level: 5, brotli: { params: {} } } as compression.CompressionOptions))
    .use(served.pages)
    .use(failed)

  if (meter && config.metrics)
    await publishMetrics(meter, () => stateOf(system), config.metrics).catch(unusableMetrics)
  const servers = await listen(inTurn(app), config)
  served.watch?.(servers)
  console.log(welcome ?? (await greeting(system, config.publicOrigin)))
  const reportFailure = (job: string, error: unknown) =>
    log.error({ err: error, job }, 'job failed')
  const stopJobs = startJobs(system, reportFailure, {
    meter,
    ...(tracer && { around: tracer.job }),
    runs: () => readJobRuns(system),
    noteRun: (job) => noteJobRun(system, job),
    lead: (events) =>
      takePart(
        {
          read: () => readJobLeader(system),
          lead: (holder, seen) => leadJobs(system, holder, seen),
          end: (seen) => endJobLead(system, seen),
        },
        events,
      ),
  })
  stopGracefully(async () => {
    readiness.stop()
    await setTimeout(seconds(config.drainSeconds))
    await Promise.all([served.close?.(), ...servers.map(endOf)])
    await stopJobs()
    await close()
    // A collector that does not answer must not keep the process.
    await Promise.race([tracer?.end(), setTimeout(seconds(2))])
  })
}

/** Metrics and traces, as configured. Their libraries are loaded only here. */
async function openObservers(config: Config) {
  const meter = config.metrics && (await import('./metrics/prometheus-meter.ts')).createMeter()
  const tracer = config.isTraced ? (await import('./metrics/tracer.ts')).createTracer() : undefined
  const observers = [meter, tracer].filter((one) => one !== undefined)
  const meterAndTracer: Pick<Meter, 'queried' | 'began' | 'worked'> = {
    queried(what, took) {
      for (const one of observers) one.queried(what, took)
    },
    began(task) {
      for (const one of observers) one.began(task)
    },
    worked(task, took) {
      for (const one of observers) one.worked(task, took)
    },
  }
  return { meter, tracer, meterAndTracer: observers.length === 0 ? undefined : meterAndTracer }
}

/** The metrics of the process are wanted most while the database does not answer: they do not wait for it. */
async function stateOf(system: System): Promise<MeasuredState> {
  const late = setTimeout(seconds(2), undefined, { ref: false })
  const figures = await Promise.race([readFigures(system).catch(() => undefined), late])
  return { figures, waitingEvents: system.eventQueue.waiting() }
}

function unusableMetrics(cause: unknown): never {
  throw new ConfigurationError(
    'No se pudieron publicar las métricas: METRICS_HOST y METRICS_PORT deben ser una dirección de esta máquina y un puerto libre.',
    { cause },
  )
}

/** The demo office and its authorities. Only here is their code loaded: a server for real use has none of it. */
async function openDemo(config: Config) {
  const { prepareDemo, prepareDemoFiles } = await import('./demo/prepare-demo.ts')
  const { serveAuthority } = await import('./demo/serve-authority.ts')
  const files = await prepareDemoFiles(config, systemClock.now())
  return {
    services: serveAuthority(files.services, systemClock),
    prepare: (system: System) => prepareDemo(system, config, files),
  }
}

/** Serves the built application. */
async function serveBuild(system: System): Promise<Served> {
  const client = path.join(root, 'build/client')
  const { createApp, warmUp } = await import(path.join(root, 'build/server/index.js'))
  const pageWriter = createPageWriter(client)
  await warmUp(system, pageWriter)
  return {
    files: staticFiles(client),
    pages: createApp(system, { pageWriter, drain }),
  }
}

/** Serves the application from its sources, for a developer. Only here is Vite loaded. */
async function serveSources(system: System, { dataFolder }: Config): Promise<Served> {
  const dev = await import('./dev/serve-sources.ts')
  return await dev.serveSources(root, dataFolder, (createApp, pageWriter) =>
    createApp(system, { pageWriter, drain }),
  )
}

/** The greeting on the terminal. The link is shown only here and never logged. */
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

/** Accepts no more requests and resolves when the running ones are answered. */
function endOf(server: Server): Promise<unknown> {
  server.closeIdleConnections()
  return new Promise((resolve) => server.close(resolve))
}

/** Closes everything on the first signal; a second one ends the process at once. */
function stopGracefully(close: () => Promise<void>): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) process.exit(1)
    isStopping = true
    await close()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}
