import type { Request, RequestHandler, Response } from 'express'
import { type Duration, seconds } from '#server/domain/time.ts'
import { plainAnswers } from '#server/words/plain-answers.ts'
import { refuse } from './request-guards.ts'

/** A page that would begin later is refused: the user learns soon that they should try again. */
const LONGEST_FOR_PAGE = seconds(0.7)
/** A form waits longer: what was typed would have to be sent again. */
const LONGEST_FOR_FORM = seconds(3)
/** With more, a request is refused at once. */
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

/**
 * Begins requests one at a time, in their order, with some turns of the event loop between two, and refuses one with 503
 * that waited too long. Without this, hundreds of requests share the thread: all are answered late, and the memory that they hold grows.
 *
 * The work of a page fills its turn. A request that then waits for its body, the database or a worker keeps no other one
 * waiting, so that stalled senders and slow readers do no harm.
 *
 * @param shed is told of each refused request
 * @see RFC 9110, 15.6.4
 */
export function shedLoad(
  shed: () => void = () => {},
  now = () => performance.now(),
): RequestHandler {
  const queue: Waiting[] = []
  let isTaken = false

  function refuseLate({ response }: Waiting): void {
    shed()
    response.setHeader('Retry-After', String(RETRY_AFTER / 1000))
    // A connection that breaks meanwhile needs no answer.
    refuse(response, 503, plainAnswers.tooBusy).catch(() => {})
  }

  /** The next one that may begin. */
  function next(): Waiting | undefined {
    for (let refused = 0; refused < REFUSED_A_TURN; ) {
      const first = queue.shift()
      if (!first) return undefined
      if (first.request.destroyed) continue
      if (now() - first.since <= first.longest) return first
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
    isTaken = queue.length > 0
    if (isTaken) setImmediate(takeTurn)
  }

  function enter(waiting: Waiting): void {
    if (queue.length >= MOST_WAITING) {
      refuseLate(waiting)
      return
    }
    queue.push(waiting)
    if (isTaken) return
    isTaken = true
    next()?.begin()
    setImmediate(takeTurn)
  }

  return (request, response, begin) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const longest = isRead ? LONGEST_FOR_PAGE : LONGEST_FOR_FORM
    enter({ request, response, begin, since: now(), longest })
  }
}
