import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FullOffice } from '#tests/support/office/full-office.ts'
import { MEMORY_FLAGS } from './memory-flags.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const here = (name: string) => path.join(import.meta.dirname, name)
const CLOCK = `--import=${pathToFileURL(here('task-clock.mjs')).href}`
/** Longer than any task may take. */
const PATIENCE_MS = 120_000

/** Milliseconds of a task: of its own processor time, and by the clock on the wall. */
export type TaskTime = { cpu: number; wall: number }

/** The longest task of a while, and the share of a processor that the thread used meanwhile. */
export type Measured = TaskTime & { busy: number }

export type TimedServer = ServerProcess & {
  office: FullOffice
  /** What followed at once when the server listened: each job runs. */
  started: Measured
  /** The longest task of the request thread since the last call. */
  longestTask(): Promise<Measured>
}

/**
 * The production server as `npm start` runs it, with a clock for the tasks of its request thread and an office of this
 * size, which a process of its own prepares.
 */
export async function startTimedServer(
  environment: Record<string, string>,
  size: { documents: number; events: number },
): Promise<TimedServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-clock-'))
  const [clock, answer] = [path.join(folder, 'clock.json'), path.join(folder, 'office.json')]
  const program = ['--disable-warning=ExperimentalWarning', here('prepare-large-office.ts')]
  const fill = async (dataFolder: string) => {
    const input = [dataFolder, String(size.documents), String(size.events), answer]
    execFileSync(process.execPath, [...program, ...input], { stdio: 'inherit' })
  }
  const variables = { TASK_CLOCK: clock, ...environment }
  const server = await startServer('start', variables, {
    fill,
    flags: [...MEMORY_FLAGS, CLOCK],
  })
  async function longestTask() {
    rmSync(clock, { force: true })
    process.kill(server.pid, 'SIGUSR2')
    const end = Date.now() + PATIENCE_MS
    while (Date.now() < end) {
      const told = readIfThere(clock)
      if (told) return JSON.parse(told) as Measured
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
    throw new Error(`the server does not answer:\n${server.logged()}`)
  }
  return {
    ...server,
    started: await longestTask(),
    office: JSON.parse(readFileSync(answer, 'utf8')),
    longestTask,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
