import { type DataStrategyResult, isRouteErrorResponse } from 'react-router'
import { noticeOf } from './notice-of.ts'
import { client } from './session.ts'
import { addNotification } from './state.ts'

/** What the page that is open lends, so that a load that fails can leave it as it is. */
export type OpenPage = {
  /** Its path and query. */
  address: string
  /** Whether a form was sent and what came of it is not shown yet. */
  isSending: boolean
  /** What the frames around the page were made of, by route. */
  frames: Readonly<Record<string, unknown>>
  /** Gives up the navigation that is under way. */
  stay(): void
}

type Results = Record<string, DataStrategyResult>

let open: OpenPage | undefined

export function setOpenPage(page: OpenPage | undefined): void {
  open = page
}

/**
 * Says in a notice when a page could not be loaded or a form could not be sent. What did not come from the
 * application leaves the page that is open, with what was typed in it; where that would be untrue, after the
 * browser's own way back and after a form that was taken, the error shows between the menus.
 */
export async function tellFailedLoad(
  { request }: { request: Request },
  next: () => Promise<Results>,
): Promise<Results> {
  const results = await next()
  const failure = request.signal.aborted ? undefined : failureIn(results)
  if (!failure) return results
  if (failure.status === 401) {
    client.expire()
    return results
  }
  const { type, message } = noticeOf(failure.status)
  addNotification({ type, message: failure.sentence ?? message })
  // Their page says why, and it is the right one.
  if (failure.sentence || (request.method === 'GET' && results.root?.type !== 'error'))
    return results
  if (open && canStay(open, request.method)) {
    open.stay()
    return results
  }
  return withFrames(results, open?.frames ?? {})
}

function canStay({ address, isSending }: OpenPage, method: string): boolean {
  if (method !== 'GET') return true
  // By the browser's own way back the address has changed before anything was loaded.
  return !isSending && location.pathname + location.search === address
}

function withFrames(results: Results, frames: OpenPage['frames']): Results {
  const kept = Object.entries(results).map(([id, result]) => {
    const isKept = result.type === 'error' && frames[id] !== undefined
    return [id, isKept ? { type: 'data', result: frames[id] } : result]
  })
  return Object.fromEntries(kept)
}

type Failure = { status: number; sentence?: string }

/** The failure that says most of all; undefined for none. */
function failureIn(results: Results): Failure | undefined {
  const thrown = Object.values(results)
    .filter(({ type }) => type === 'error')
    .map(({ result }) => unwrapped(result))
    .filter((error) => !(error instanceof Response))
  if (thrown.length === 0) return undefined
  const answered = thrown.find((error) => isRouteErrorResponse(error))
  if (answered) {
    const sentence = sentenceIn(answered.data)
    return { status: answered.status, ...(sentence && { sentence }) }
  }
  // Browsers report a lost connection as a TypeError; the server hides what it threw.
  return { status: thrown.some((error) => error instanceof TypeError) ? 0 : 500 }
}

/** What a form was answered with comes with its status. */
function unwrapped(result: unknown): unknown {
  const isWithStatus =
    typeof result === 'object' && result !== null && 'type' in result && 'data' in result
  return isWithStatus && result.type === 'DataWithResponseInit' ? result.data : result
}

/** Our own refusals bring their sentence along. */
function sentenceIn(data: unknown): string | undefined {
  const isOurs = typeof data === 'object' && data !== null && 'sentence' in data
  return isOurs ? String(data.sentence) : undefined
}
