import type { RequestHandler } from 'express'

/** Whether this process should get requests. */
export type Readiness = {
  isReady(): Promise<boolean>
  /** From now on it is not ready: it ends soon. */
  stop(): void
}

const ONE_SECOND_MS = 1_000

/**
 * Ready while the database answers within a second. Strangers may ask: the answer is kept for a second, so that the
 * database is asked no more often.
 *
 * @param ask fails or takes long if the database does not answer
 */
export function createReadiness(ask: () => Promise<unknown>): Readiness {
  let isStopping = false
  let last: { until: number; answer: Promise<boolean> } | undefined
  return {
    async isReady() {
      if (isStopping) return false
      if (!last || performance.now() >= last.until)
        last = { until: performance.now() + ONE_SECOND_MS, answer: answersInTime(ask) }
      return (await last.answer) && !isStopping
    },
    stop() {
      isStopping = true
    },
  }
}

async function answersInTime(ask: () => Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), ONE_SECOND_MS)
  const answered = ask().then(
    () => true,
    () => false,
  )
  const isInTime = await Promise.race([answered, late])
  clearTimeout(timer)
  return isInTime
}

/**
 * Answers a supervisor (`/healthz`: the process serves requests) and a proxy (`/readyz`: it should get requests), at any
 * host name, and tells nothing else.
 */
export function health({ isReady }: Pick<Readiness, 'isReady'>): RequestHandler {
  return async ({ path, method }, response, next) => {
    const isAsked = path === '/healthz' || path === '/readyz'
    if (!isAsked || (method !== 'GET' && method !== 'HEAD')) return next()
    const isGood = path === '/healthz' || (await isReady())
    response.status(isGood ? 200 : 503).setHeader('Cache-Control', 'no-store')
    if (!isGood) response.setHeader('Retry-After', '5')
    response.type('text/plain').send(isGood ? 'ok\n' : 'not ready\n')
  }
}
