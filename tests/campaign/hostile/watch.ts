import { readFileSync } from 'node:fs'
import { send } from '#tests/e2e/support/http.ts'

/** A page that asks nothing of the machine waits no longer, beside any input; the machine may be busy with others. */
const LONGEST_WAIT_MS = 3_000
/** With the heap that `npm start` allows, its threads and the pictures of pages. */
const MOST_MEBIBYTES = 1_600
const EVERY_MS = 250

/** What is seen of a server while inputs are sent to it. */
export type Watch = {
  /** Sentences about stalls and memory since the last call. */
  faults(): string[]
  figures(): { 'ms of wait at most': number; 'MiB at most': number }
  end(): void
}

export function watchServer(origin: string, pid: number): Watch {
  const found: string[] = []
  const most = { wait: 0, memory: 0 }
  let asking: number | undefined
  const waited = (since: number) => {
    const wait = performance.now() - since
    if (wait > LONGEST_WAIT_MS) found.push(`another request waited ${wait.toFixed(0)} ms`)
    most.wait = Math.max(most.wait, Math.round(wait))
  }
  const ask = () => {
    const memory = residentMebibytes(pid)
    if (memory > MOST_MEBIBYTES && memory > most.memory * 1.05) found.push(`it holds ${memory} MiB`)
    most.memory = Math.max(most.memory, memory)
    if (asking !== undefined) return
    const start = performance.now()
    asking = start
    send(`${origin}/api/v1/auth/health`)
      .then(({ status }) => {
        if (status !== 200) found.push(`health answers ${status}`)
      })
      // A server that has ended is reported by the input that ended it.
      .catch(() => undefined)
      .finally(() => {
        asking = undefined
        waited(start)
      })
  }
  const timer = setInterval(ask, EVERY_MS)
  return {
    faults: () => found.splice(0),
    figures: () => ({ 'ms of wait at most': most.wait, 'MiB at most': most.memory }),
    end: () => clearInterval(timer),
  }
}

/** 0 where the system does not say. */
function residentMebibytes(pid: number): number {
  try {
    const [, kibibytes = '0'] =
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kibibytes) / 1024)
  } catch {
    return 0
  }
}
