import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { addressIn, type OutgoingNetworks } from '#server/domain/outgoing-networks.ts'

/** The answer, or the reason for a missing one as far as it matters for a retry. */
export type HttpAnswer =
  | { kind: 'answered'; body: Uint8Array }
  /**
   * `isSlow`: it took longer than it may, so that asking again would cost others the same time. Without a `status` no server
   * answered.
   */
  | { kind: 'failed'; isSlow: boolean; reason: string; status?: number }

/**
 * Servers of public authorities that offer no key exchange which OpenSSL accepts by default: the SAT's uses a
 * Diffie-Hellman group of 1024 bits. Only what is signed by itself may be fetched from them.
 */
const WEAK_KEY_EXCHANGE: ReadonlySet<string> = new Set(['cfdi.sat.gob.mx'])
const WEAK_CIPHERS = 'DEFAULT@SECLEVEL=1'

/** Whether no server answered, so that all who ask at the address wait in vain. */
export const isSilence = ({ isSlow, status }: { isSlow: boolean; status?: number }) =>
  isSlow || status === undefined

type Limits = { limit: number; signal: AbortSignal; networks: OutgoingNetworks }
type Sent = {
  body: Uint8Array
  type: string
  headers?: Readonly<Record<string, string>>
  login?: { username: string; password: string }
}

/**
 * Posts `body` and returns what comes back with status 200. Never throws, follows no redirection, reads no more
 * than `limit` bytes, connects to no address outside of `networks`, and is over when `signal` says so.
 *
 * @param type of what is sent; `expected` of what must come back, any where it is absent; `login` for Basic
 *   authentication; `headers` more of them
 */
export function postForAnswer(
  address: string,
  body: Uint8Array,
  {
    expected = '',
    limit,
    signal,
    networks,
    ...how
  }: Omit<Sent, 'body'> & { expected?: string } & Limits,
): Promise<HttpAnswer> {
  return answerOf(address, { expected, limit, signal, networks, sent: { ...how, body } })
}

/** Fetches what lies at an address, of whatever type it says to be, under the same promises. */
export const fetchAnswer = (address: string, limits: Limits): Promise<HttpAnswer> =>
  answerOf(address, { ...limits, expected: '' })

/**
 * Whether a server answers at an address, whatever it answers, under the same promises: it is asked with GET, which
 * orders nothing.
 *
 * @returns the reason why not
 */
export async function reachServer(address: string, limits: Limits): Promise<string | undefined> {
  const answer = await fetchAnswer(address, limits)
  return answer.kind === 'failed' && answer.status === undefined ? answer.reason : undefined
}

async function answerOf(
  address: string,
  { expected, limit, signal, networks, sent }: Limits & { expected: string; sent?: Sent },
): Promise<HttpAnswer> {
  const url = new URL(address)
  const literal = addressIn(url.hostname)
  if (literal && !networks(literal, url.hostname))
    return { kind: 'failed', isSlow: false, reason: ELSEWHERE }
  // Loaded with the first request: it takes longer than all other modules that verification needs.
  const { default: client } = await (url.protocol === 'https:'
    ? import('node:https')
    : import('node:http'))
  return new Promise((resolve) => {
    const fail = (reason: string, status?: number) => {
      const answered = status === undefined ? {} : { status }
      resolve({ kind: 'failed', isSlow: signal.aborted, reason, ...answered })
      request.destroy()
    }
    const request = client.request(url, {
      method: sent ? 'POST' : 'GET',
      signal,
      // A connection of our own: nothing of one answer can end up in the next.
      agent: false,
      lookup: lookupWithin(networks),
      headers: {
        ...sent?.headers,
        Accept: expected || '*/*',
        ...(sent && { 'Content-Type': sent.type, 'Content-Length': sent.body.length }),
        ...(sent?.login && { Authorization: basic(sent.login) }),
      },
      ...(WEAK_KEY_EXCHANGE.has(url.hostname) && { ciphers: WEAK_CIPHERS }),
    })
    request.on('error', (error) => fail(error.message))
    request.on('response', (response) => {
      const { statusCode, headers } = response
      if (statusCode !== 200) return fail(`status ${statusCode}`, statusCode)
      if (!(headers['content-type'] ?? '').toLowerCase().startsWith(expected))
        return fail(`an answer of type ${headers['content-type']}`, statusCode)
      const chunks: Uint8Array[] = []
      let length = 0
      response.on('data', (chunk: Uint8Array) => {
        chunks.push(chunk)
        length += chunk.length
        if (length > limit) fail(`more than ${limit} bytes`, statusCode)
      })
      response.on('error', (error) => fail(error.message))
      response.on('close', () => fail('the answer ended early'))
      response.on('end', () => {
        if (length <= limit)
          resolve({ kind: 'answered', body: new Uint8Array(Buffer.concat(chunks)) })
      })
    })
    request.end(sent?.body)
  })
}

const ELSEWHERE = 'an address in a network that no service may be in'

/** Checks the address to which the connection is made: a name may lead elsewhere each time that it is looked up. */
const lookupWithin =
  (networks: OutgoingNetworks): LookupFunction =>
  (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const allowed = error ? [] : found.filter(({ address }) => networks(address, hostname))
      const [first] = allowed
      if (!first) return done(error ?? new Error(ELSEWHERE), [])
      if (options.all) return done(null, allowed)
      done(null, first.address, first.family)
    })
  }

/** In UTF-8. @see RFC 7617, 2.1 */
const basic = ({ username, password }: { username: string; password: string }) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
