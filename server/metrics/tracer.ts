import { context, SpanKind, SpanStatusCode, type Tracer as Spans, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Request, RequestHandler, Response } from 'express'
import type { Duration } from '#server/domain/time.ts'
import type { Meter } from './meter.ts'

/** Sends what a process does as traces: a span for each request and job, with its queries and its work on files inside. */
export type Tracer = Pick<Meter, 'queried' | 'began' | 'worked'> & {
  /** The handlers behind it run inside the span of their request. */
  readonly request: RequestHandler
  /** Runs the job inside a span of its own. */
  job<T>(name: string, run: () => Promise<T>): Promise<T>
  /** Sends what is not sent yet. */
  end(): Promise<void>
}

/**
 * The spans name routes, tables and tasks, and never a value. They are sent in batches by the variables of OpenTelemetry
 * (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME`); if the collector does not take them,
 * they are dropped.
 *
 * @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
export function createTracer(): Tracer {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'rubrica' }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const spans = provider.getTracer('rubrica')
  const past = (name: string, took: Duration) => {
    const end = Date.now()
    spans.startSpan(name, { startTime: end - took }).end(end)
  }

  return {
    queried: past,
    began: () => {},
    worked: past,
    request: traced(spans),
    job: (name, run) =>
      spans.startActiveSpan(`job ${name}`, { root: true }, async (span) => {
        try {
          return await run()
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR })
          throw error
        } finally {
          span.end()
        }
      }),
    end: () => provider.shutdown(),
  }
}

const traced =
  (spans: Spans): RequestHandler =>
  (request, response, next) => {
    const { method } = request
    const began = spans.startSpan(method, { kind: SpanKind.SERVER }, parentOf(request))
    response.once('close', () => {
      const { statusCode: status, locals } = response
      const route: string | undefined = locals.route
      if (route !== undefined) began.updateName(`${method} ${route}`)
      began.setAttributes({
        ...{ 'http.request.method': method, 'http.response.status_code': status },
        ...(route !== undefined && { 'http.route': route }),
        'rubrica.request_id': requestIdOf(response),
      })
      if (status >= 500) began.setStatus({ code: SpanStatusCode.ERROR })
      began.end()
    })
    context.with(trace.setSpan(context.active(), began), next)
  }

const requestIdOf = ({ locals }: Response): string => String(locals.requestId)

const propagator = new W3CTraceContextPropagator()

/** Of the proxy in front; strangers must not write into our traces. @see https://www.w3.org/TR/trace-context/ */
function parentOf(request: Request) {
  const isTrusted: (address: string | undefined, hop: number) => boolean =
    request.app.get('trust proxy fn')
  if (!isTrusted(request.socket.remoteAddress, 0)) return context.active()
  return propagator.extract(context.active(), request.headers, {
    get: (headers, key) => headers[key],
    keys: Object.keys,
  })
}
