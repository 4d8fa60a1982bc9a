import { Agent, get } from 'node:http'
import { percentile } from './figures.ts'

export type Load = {
  requestsPerSecond: number
  /** Milliseconds in which 95 of 100 requests were answered. */
  p95: number
  /**
   * Processor time of one answer in milliseconds, measured in the least disturbed half second; undefined if the
   * system does not report it.
   */
  processorTime: number | undefined
  /** Bytes of one body as sent, compressed. */
  bodyBytes: number
}

const CONNECTIONS = 16
const WARM_UP_MS = 4_000
const DURATION_MS = 5_000
const WINDOW_MS = 500

/**
 * Requests one URL repeatedly on sixteen connections, one request at a time each.
 *
 * @param processorTime processor time of the server so far, in milliseconds
 * @param cookie the header of a signed-in user; a stranger asks without it
 * @throws {Error} if an answer is not 200
 */
export async function loadOf(
  url: string,
  processorTime: () => number | undefined,
  cookie?: string,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  try {
    await askFor({ url, agent, cookie }, WARM_UP_MS)
    const costs: number[] = []
    const times: number[] = []
    let bodyBytes = 0
    const start = performance.now()
    while (performance.now() < start + DURATION_MS) {
      const spent = processorTime() ?? Number.NaN
      const window = await askFor({ url, agent, cookie }, WINDOW_MS)
      costs.push(((processorTime() ?? Number.NaN) - spent) / window.times.length)
      times.push(...window.times)
      bodyBytes = window.bodyBytes
    }
    const seconds = (performance.now() - start) / 1000
    const least = Math.min(...costs)
    return {
      requestsPerSecond: times.length / seconds,
      p95: percentile(times, 0.95),
      processorTime: Number.isNaN(least) ? undefined : least,
      bodyBytes,
    }
  } finally {
    agent.destroy()
  }
}

type Question = { url: string; agent?: Agent; cookie?: string | undefined }

async function askFor(question: Question, durationMs: number) {
  const times: number[] = []
  let bodyBytes = 0
  const end = performance.now() + durationMs
  const visitor = async () => {
    while (performance.now() < end) {
      const start = performance.now()
      bodyBytes = await ask(question)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, visitor))
  return { times, bodyBytes }
}

/** As a browser that comes for the first time. */
const HEADERS = { 'Accept-Encoding': 'gzip, deflate, br', Accept: 'text/html' }

/**
 * Asks once.
 *
 * @returns the bytes of the body as sent, compressed
 * @throws {Error} if the answer is not 200
 */
export function ask({ url, agent, cookie }: Question): Promise<number> {
  const headers = { ...HEADERS, ...(cookie && { cookie }) }
  return new Promise((resolve, reject) => {
    get(url, { ...(agent && { agent }), headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.once('end', () =>
        response.statusCode === 200
          ? resolve(bytes)
          : reject(new Error(`${url} was answered with ${response.statusCode}`)),
      )
    }).once('error', reject)
  })
}
