import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Duration, minutes } from '#server/domain/time.ts'
import type { LoopDelay } from '#server/ports/loop-delay.ts'

/** In milliseconds, between two looks. A wait shows up as the time by which a look comes late. */
const RESOLUTION = 10
const MOST_MINUTES = 10

type Options = {
  /** Is told the longest wait of each period. */
  report: (longest: Duration) => void
  period?: Duration
}

/** Measures the delay of the event loop of this thread, until `close`. */
export function measureLoopDelay({ report, period = minutes(1) }: Options): LoopDelay & {
  close(): void
} {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION })
  histogram.enable()
  const longest: Duration[] = []
  const timer = setInterval(() => {
    const last = Math.max(0, Math.round(histogram.max / 1e6) - RESOLUTION) as Duration
    histogram.reset()
    longest.push(last)
    if (longest.length > MOST_MINUTES) longest.shift()
    report(last)
  }, period).unref()
  return {
    minutes: () => [...longest],
    close() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
