/** Before each try, in milliseconds: a server that starts again is back by then, and so is a phone in a tunnel. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

/** Waits before a call is tried again: shorter if the connection comes back or the user asks for it. */
export function retryTimer(pauses: readonly number[] = PAUSES) {
  let end: (() => void) | undefined
  const wake = () => end?.()
  return {
    wake,
    /** @returns false if it was tried often enough, or was stopped */
    async wait(attempt: number, signal: AbortSignal): Promise<boolean> {
      const pause = pauses[attempt]
      if (pause === undefined || signal.aborted) return false
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
        addEventListener('online', wake, { once: true })
        signal.addEventListener('abort', wake, { once: true })
      })
      end = undefined
      removeEventListener('online', wake)
      return !signal.aborted
    },
  }
}
