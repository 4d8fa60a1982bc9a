import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Duration } from '#server/domain/time.ts'
import type { Figures, PublishedMeter } from './meter.ts'

/** In seconds. */
const ANSWERS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const QUERIES = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1]
const WORK = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30]

const inSeconds = (took: Duration) => took / 1000

export function createMeter(): PublishedMeter {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Histogram({
    ...{ registers, buckets: ANSWERS, name: 'rubrica_http_request_seconds' },
    help: 'Answered requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
  })
  const jobs = new Histogram({
    ...{ registers, buckets: WORK, name: 'rubrica_job_seconds' },
    help: 'Runs of recurring jobs by job and outcome.',
    labelNames: ['job', 'outcome'],
  })
  const work = new Histogram({
    ...{ registers, buckets: WORK, name: 'rubrica_file_work_seconds' },
    help: 'Work on files by task: verifying, preparing signatures, drawing pages. With the wait for a worker.',
    labelNames: ['task'],
  })
  const waiting = new Gauge({
    ...{ registers, name: 'rubrica_file_work_in_progress' },
    help: 'Work on files that runs or waits for a worker, by task.',
    labelNames: ['task'],
  })
  const queries = new Histogram({
    ...{ registers, buckets: QUERIES, name: 'rubrica_query_seconds' },
    help: 'Queries by kind and table.',
    labelNames: ['query'],
  })
  const shed = new Counter({
    ...{ registers, name: 'rubrica_shed_requests_total' },
    help: 'Requests that were refused because their turn came too late.',
  })
  const outboxAge = new Gauge({
    ...{ registers, name: 'rubrica_outbox_age_seconds' },
    help: 'Age of the mail that is due longest; 0 without one.',
  })
  const unsignedEvents = new Gauge({
    ...{ registers, name: 'rubrica_log_unsigned_events' },
    help: 'Events of the log that no checkpoint covers yet.',
  })
  const waitingEvents = new Gauge({
    ...{ registers, name: 'rubrica_log_waiting_events' },
    help: 'Events of the log that wait for their commit; the answers to their requests wait with them.',
  })
  const unread = new Counter({
    ...{ registers, name: 'rubrica_figures_unread_total' },
    help: 'Reads of the metrics for which the database gave no figures.',
  })

  function show(figures: Figures | undefined): void {
    outboxAge.set(figures ? inSeconds(figures.outboxAge) : Number.NaN)
    unsignedEvents.set(figures ? figures.unsignedEvents : Number.NaN)
    if (!figures) unread.inc()
  }

  return {
    answered: ({ method, route = 'none', status, took }) =>
      requests.observe({ method, route, status }, inSeconds(took)),
    shed: () => shed.inc(),
    ran: (job, took, outcome) => jobs.observe({ job, outcome }, inSeconds(took)),
    began: (task) => waiting.inc({ task }),
    worked(task, took) {
      waiting.dec({ task })
      work.observe({ task }, inSeconds(took))
    },
    queried: (query, took) => queries.observe({ query }, inSeconds(took)),
    async read(state) {
      waitingEvents.set(state.waitingEvents)
      show(state.figures)
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}
