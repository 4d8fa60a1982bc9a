import type { Request, RequestHandler, Response } from 'express'
import { type Duration, seconds } from '#server/domain/time.ts'
import { plainAnswers } from '#server/words/plain-answers.ts'
import { refuse } from './request-guards.ts'

/** A page that would begin later is refused: the user learns soon that they should try again. */
const LONGEST_FOR_PAGE = seconds(0.7)
/** A form waits longer: what was typed would have to be sent again. */
const LONGEST_FOR_FORM = seconds(3)
/** Nothing is refused for its wait until requests have waited for this long without a pause: a burst is served whole. */
const BURST = seconds(1.2)
/** None is refused for its wait while fewer wait behind it: a slow machine answers a small office late, but answers it. */
const FEW = 16
/** Limits for pages and for forms, each: with more of one network, or of all, a request is refused at once. */
const MOST_OF_NETWORK = 300
const MOST_WAITING = 2_000
/** Refused in one turn; their answers cost the thread something, too. */
const REFUSED_A_TURN = 32
/**
 * Turns between two requests. In each turn one connection is accepted: with a page in each, the last of a crowd would
 * wait for seconds before it could be refused. An empty turn takes some microseconds.
 */
const EMPTY_TURNS = 16
const RETRY_AFTER = seconds(3)

type Waiting = {
  request: Request
  response: Response
  begin(): void
  /** In ms, of the monotonic clock. */
  since: number
  longest: Duration
}

/** Requests that wait. The networks take turns, so that a flood from one keeps the others no longer waiting. */
function createTurns() {
  const byNetwork = new Map<string, Waiting[]>()
  let size = 0
  return {
    size: () => size,
    sizeOf: (network: string) => byNetwork.get(network)?.length ?? 0,
    push(network: string, waiting: Waiting): void {
      const line = byNetwork.get(network) ?? []
      line.push(waiting)
      byNetwork.set(network, line)
      size += 1
    },
    shift(): Waiting | undefined {
      const [entry] = byNetwork
      if (!entry) return undefined
      const [network, [first, ...others]] = entry
      byNetwork.delete(network)
      // Behind all others.
      if (others.length > 0) byNetwork.set(network, others)
      size -= 1
      return first
    },
  }
}

type Options = {
  /** The network of an address: its pages wait behind each other, and so do its forms. */
  networkOf?: (address: string) => string
  /** Told of each refused request. */
  shed?: (() => void) | undefined
  now?: () => number
}

/**
 * Begins requests one at a time, the pages of one network in their order and its forms in theirs, with some turns of the event
 * loop between two, and refuses one with 503 that waited too long while many wait behind it. Without this, hundreds of requests
 * share the thread: all are answered late, and the memory that they hold grows.
 *
 * The work of a page fills its turn. A request that then waits for its body, the database or a worker keeps no other one
 * waiting, so that stalled senders and slow readers do no harm.
 *
 * @see RFC 9110, 15.6.4
 */
export function shedLoad({
  networkOf = (address) => address,
  shed = () => {},
  now = () => performance.now(),
}: Options = {}): RequestHandler {
  const lanes = { pages: createTurns(), forms: createTurns() }
  let isFormNext = false
  let isTaken = false
  /** Since when at least one request has been waiting. */
  let standingSince = now()

  function refuseLate({ response }: Waiting): void {
    shed()
    response.setHeader('Retry-After', String(RETRY_AFTER / 1000))
    // A connection that breaks meanwhile needs no answer.
    refuse(response, 503, plainAnswers.tooBusy).catch(() => {})
  }

  const size = () => lanes.pages.size() + lanes.forms.size()

  /** Pages and forms take turns: a flood of sign-ins keeps no page waiting. */
  function takeFirst(): Waiting | undefined {
    isFormNext = !isFormNext
    const [one, other] = isFormNext ? [lanes.forms, lanes.pages] : [lanes.pages, lanes.forms]
    return one.shift() ?? other.shift()
  }

  /** The next one that may begin. */
  function next(): Waiting | undefined {
    for (let refused = 0; refused < REFUSED_A_TURN; ) {
      const first = takeFirst()
      if (!first) return undefined
      if (first.request.destroyed) continue
      const isBurst = now() - standingSince <= BURST
      const isInTime = now() - first.since <= first.longest
      if (isBurst || isInTime || size() < FEW) return first
      refuseLate(first)
      refused += 1
    }
    return undefined
  }

  /** @param left empty turns before the next request begins */
  function takeTurn(left = EMPTY_TURNS): void {
    if (left > 0) {
      setImmediate(takeTurn, left - 1)
      return
    }
    next()?.begin()
    isTaken = size() > 0
    if (isTaken) setImmediate(takeTurn)
  }

  function enter(lane: keyof typeof lanes, network: string, waiting: Waiting): void {
    const turns = lanes[lane]
    if (turns.size() >= MOST_WAITING || turns.sizeOf(network) >= MOST_OF_NETWORK) {
      refuseLate(waiting)
      return
    }
    if (size() === 0) standingSince = now()
    turns.push(network, waiting)
    if (isTaken) return
    isTaken = true
    next()?.begin()
    setImmediate(takeTurn)
  }

  return (request, response, begin) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const longest = isRead ? LONGEST_FOR_PAGE : LONGEST_FOR_FORM
    const network = networkOf(request.ip ?? '')
    enter(isRead ? 'pages' : 'forms', network, { request, response, begin, since: now(), longest })
  }
}
