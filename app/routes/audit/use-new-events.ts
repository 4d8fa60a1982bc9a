import { useEffect, useState } from 'react'
import type { EventRow } from './event-rows.ts'
import type { NewEvents } from './new-events.ts'

/** Between two calls, in milliseconds. */
const PAUSE = 5000
/** A page that stays open shows no more new rows; its reader loads it again then. */
const MOST_ROWS = 200

type Found = { rows: readonly EventRow[]; hasMore: boolean }

const NOTHING: Found = { rows: [], hasMore: false }

/**
 * Asks for new events while the page is visible.
 *
 * @param address where to ask; undefined on pages that stay as they are
 * @param end the position at which the page was read
 */
export function useNewEvents(address: string | undefined, end: number) {
  const page = `${address} ${end}`
  const [kept, setKept] = useState<Found & { page: string; isOver: boolean }>()
  const [isPaused, setPaused] = useState(false)
  const ofPage = kept?.page === page ? kept : { ...NOTHING, isOver: false }
  const { isOver } = ofPage

  useEffect(() => {
    if (address === undefined || isPaused || isOver) return
    const stopping = new AbortController()
    let [next, found] = [end, NOTHING]
    let timer = setTimeout(ask, PAUSE, address)
    async function ask(address: string) {
      const answer = await newEvents(withAfter(address, next), stopping.signal)
      if (stopping.signal.aborted) return
      if (answer === 'over') return setKept({ page, ...found, isOver: true })
      if (answer) next = answer.end
      if (answer && answer.rows.length > 0) {
        found = joined(found, answer)
        setKept({ page, ...found, isOver: false })
      }
      timer = setTimeout(ask, PAUSE, address)
    }
    return () => {
      stopping.abort()
      clearTimeout(timer)
    }
  }, [address, end, page, isPaused, isOver])

  return { ...ofPage, isPaused, setPaused }
}

const withAfter = (address: string, after: number) =>
  `${address}${address.includes('?') ? '&' : '?'}after=${after}`

/**
 * @returns undefined if the page is hidden or the server does not answer, for now; `over` if the server refuses, such as after
 *   the end of the session
 */
async function newEvents(
  address: string,
  signal: AbortSignal,
): Promise<NewEvents | 'over' | undefined> {
  if (document.visibilityState === 'hidden') return undefined
  try {
    const answer = await fetch(address, { redirect: 'manual', signal })
    if (answer.ok) return await answer.json()
    return answer.status < 500 ? 'over' : undefined
  } catch {
    return undefined
  }
}

function joined(found: Found, { rows, hasMore }: NewEvents): Found {
  const known = new Set(rows.map(({ position }) => position))
  const all = [...rows, ...found.rows.filter(({ position }) => !known.has(position))]
  return {
    rows: all.slice(0, MOST_ROWS),
    hasMore: found.hasMore || hasMore || all.length > MOST_ROWS,
  }
}
