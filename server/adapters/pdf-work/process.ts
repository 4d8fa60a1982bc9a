/*
 * A process that reads the files of strangers, behind all other work of the machine. Its main thread only
 * watches; each task runs in a thread. So this process notices at once that the server is gone, whatever a task does.
 */
import { readdirSync } from 'node:fs'
import os from 'node:os'
import type { FromProcess, SentError, ToProcess } from './messages.ts'
import { createThreadPool } from './task-pool.ts'

/** As the command nice(1) does by default: so much less than the server has. */
const LESS = 10
const LEAST = 19
const LOOK_MS = 250

const [, , heap = '', mostMemory = '', worker = ''] = process.argv

yieldToOthers()
const pool = createThreadPool({
  threads: 1,
  memory: Number(heap),
  worker: worker === '' ? undefined : new URL(worker),
})
const running = new Map<number, AbortController>()

process.on('message', (message: ToProcess) => {
  if (message.kind === 'abort') running.get(message.id)?.abort()
  else run(message)
})
// The server is gone, however that came. Not `process.exit`, which waits for what a thread is doing.
process.on('disconnect', die)
// An interrupt at a terminal or of a service manager reaches all processes: the server decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
// The limit of a thread counts its script alone, not the bytes of the files that it reads.
setInterval(() => {
  if (process.memoryUsage.rss() > Number(mostMemory) * 1024 ** 2) die()
}, LOOK_MS)
send({ kind: 'ready' })

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}

async function run({ id, name, task }: ToProcess & { kind: 'run' }): Promise<void> {
  const controller = new AbortController()
  running.set(id, controller)
  try {
    send({
      kind: 'done',
      id,
      value: await pool.run(task, { name, signal: controller.signal }),
    })
  } catch (error) {
    send({ kind: 'failed', id, error: partsOf(error) })
  } finally {
    running.delete(id)
  }
}

function partsOf(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message, stack } = error
  return { name, message, stack, ...('code' in error && { code: String(error.code) }) }
}

function send(message: FromProcess): void {
  // The server may be gone; `disconnect` follows.
  process.send?.(message, () => undefined)
}

/** On Linux the priority is of each thread; threads that start later have that of the one that starts them. */
function yieldToOthers(): void {
  const niceness = Math.min(LEAST, os.getPriority() + LESS)
  os.setPriority(niceness)
  if (process.platform !== 'linux') return
  for (const thread of readdirSync('/proc/self/task'))
    try {
      os.setPriority(Number(thread), niceness)
    } catch {
      // It ended meanwhile.
    }
}
