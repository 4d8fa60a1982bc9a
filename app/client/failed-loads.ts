import { type DataStrategyResult, isRouteErrorResponse } from 'react-router'
import { noticeOf } from './notice-of.ts'
import { client } from './session.ts'
import { addNotification } from './state.ts'

/** The open page, as needed to keep it when a load fails. */
export type OpenPage = {
  /** Path and query. */
  address: string
  /** Whether a form submission is in flight. */
  isSending: boolean
  /** Loader data of the layouts around the page, by route id. */
  frames: Readonly<Record<string, unknown>>
  /** Cancels the current navigation. */
  stay(): void
  /** Why a form was not sent although there is a connection: what is wrong with its files, if anything. */
  faultOfFiles(): Promise<string | undefined>
}

type Results = Record<string, DataStrategyResult>

let open: OpenPage | undefined

export function setOpenPage(page: OpenPage | undefined): void {
  open = page
}

/**
 * Shows a notice when a page could not be loaded or a form could not be sent. If the response is not from
 * the application, the open page stays with its typed values; after back navigation, or after the server
 * accepted a form, the error is shown inside the menus instead.
 */
export async function reportFailedLoad(
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
  const isUnsent = failure.status === 0 && request.method !== 'GET'
  const fault = isUnsent ? await open?.faultOfFiles() : undefined
  addNotification({ type, message: failure.sentence ?? fault ?? message })
  // The error page of the application explains it.
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
  // On back navigation the address has already changed.
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

/** Returns the most specific failure, or undefined. */
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
  // Browsers report a lost connection as a TypeError; the server hides its errors.
  return { status: thrown.some((error) => error instanceof TypeError) ? 0 : 500 }
}

/** Unwraps the data of an action's response. */
function unwrapped(result: unknown): unknown {
  const isWithStatus =
    typeof result === 'object' && result !== null && 'type' in result && 'data' in result
  return isWithStatus && result.type === 'DataWithResponseInit' ? result.data : result
}

/** Our own refusals carry their sentence. */
function sentenceIn(data: unknown): string | undefined {
  const isOurs = typeof data === 'object' && data !== null && 'sentence' in data
  return isOurs ? String(data.sentence) : undefined
}
