import express, { type ErrorRequestHandler, type Router } from 'express'
import { DEMO_CONSTANCIA_PATH, DEMO_OCSP_PATH, DEMO_TIMESTAMP_PATH } from '#server/compose.ts'
import type { Clock } from '#server/ports/clock.ts'
import { type ConstanciaProvider, createConstanciaProvider } from './constancia-provider.ts'
import { answerOcsp, type OcspRegister } from './ocsp-responder.ts'
import type { DemoService } from './service-certificates.ts'
import { answerTimestamp } from './timestamp-authority.ts'

/** The services of the demo authority. */
export type AuthorityServices = {
  register: OcspRegister
  timestamps: DemoService
  constancias: ConstanciaProvider
}

const MOST_BYTES = '64kb'

/** OCSP and RFC 3161 over HTTP. @see RFC 6960, A.1; RFC 3161, 3.4 */
export function serveAuthority(
  { register, timestamps, constancias }: AuthorityServices,
  clock: Clock,
): Router {
  const provider = createConstanciaProvider(constancias)
  return express
    .Router()
    .post(
      DEMO_OCSP_PATH,
      express.raw({ type: 'application/ocsp-request', limit: MOST_BYTES }),
      (request, response) => {
        const answer = answerOcsp(bodyOf(request.body), register, clock.now())
        response.type('application/ocsp-response').send(Buffer.from(answer))
      },
    )
    .post(
      DEMO_TIMESTAMP_PATH,
      express.raw({ type: 'application/timestamp-query', limit: MOST_BYTES }),
      (request, response) => {
        const answer = answerTimestamp(bodyOf(request.body), timestamps, clock.now())
        response.type('application/timestamp-reply').send(Buffer.from(answer))
      },
    )
    .post(
      DEMO_CONSTANCIA_PATH,
      express.raw({ type: 'application/timestamp-query', limit: MOST_BYTES }),
      (request, response) => {
        const answer = provider.answer(bodyOf(request.body), clock.now())
        response.type('application/timestamp-reply').send(Buffer.from(answer))
      },
    )
    .use([DEMO_OCSP_PATH, DEMO_TIMESTAMP_PATH, DEMO_CONSTANCIA_PATH], tooLarge)
}

/** No request is so long. What still comes is read, so that the sender sees the answer. */
const tooLarge: ErrorRequestHandler = (error, request, response, next) => {
  if (!(error instanceof Error && 'status' in error && error.status === 413)) return next(error)
  request.resume()
  response.status(413).end()
}

/** Of another type of content nothing is read. */
const bodyOf = (body: unknown) => (Buffer.isBuffer(body) ? new Uint8Array(body) : new Uint8Array())
