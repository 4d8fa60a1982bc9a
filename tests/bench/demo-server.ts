import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { findProgram } from '#tests/support/machine.ts'
import { MEMORY_FLAGS } from '#tests/support/processes/memory-flags.ts'
import { ROOT, readPeakMegabytes, WATCH_MEMORY } from './measured-process.ts'

export type DemoPerson = { email: string; password: string; roles: string[] }

/** A running office with its people and documents. */
export type DemoServer = {
  origin: string
  users: DemoPerson[]
  /** Processor time used so far, in milliseconds; undefined if the system does not report it. */
  processorTime(): number | undefined
  /** Ends the server; returns its peak memory in megabytes. */
  stop(): Promise<number>
}

const PATIENCE_MS = 60_000

/**
 * Starts the production server on a free port of this machine, pinned to the first core if possible.
 *
 * @param folder for its data
 * @param environment additional variables
 * @throws {Error} with its output if it does not start
 */
export async function startDemoServer(
  folder: string,
  environment: Record<string, string> = {},
): Promise<DemoServer> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const peakFile = path.join(folder, 'peak')
  const [program, ...args] = onFirstCore([
    process.execPath,
    ...WATCH_MEMORY,
    ...MEMORY_FLAGS,
    path.join(ROOT, 'server/main.ts'),
    'demo',
  ])
  const child = spawn(program, args, {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NODE_OPTIONS: '',
      PORT: String(port),
      HOST: 'localhost',
      PUBLIC_ORIGIN: origin,
      DATA_DIR: folder,
      DATABASE_URL: undefined,
      LOG_LEVEL: 'warn',
      DEMO_OFFICE: 'small',
      PEAK_MEMORY_FILE: peakFile,
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    return readPeakMegabytes(peakFile)
  }
  const end = performance.now() + PATIENCE_MS
  while (!(await isUp(origin))) {
    if (child.exitCode !== null || performance.now() > end) {
      child.kill('SIGKILL')
      throw new Error(`the server did not come up: ${said.trim()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { users } = JSON.parse(readFileSync(path.join(folder, 'demo/demo.json'), 'utf8'))
  return { origin, users, processorTime: () => processorTimeOf(child.pid), stop }
}

/** Linux counts in hundredths of a second. @see proc_pid_stat(5), utime and stime */
export function processorTimeOf(pid: number | undefined): number | undefined {
  const stat = `/proc/${pid}/stat`
  if (!existsSync(stat)) return
  const fields = readFileSync(stat, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The command line that pins a program to the first core, if the machine has `taskset`. */
export function onFirstCore(command: readonly string[]): [string, ...string[]] {
  const taskset = process.platform === 'linux' ? findProgram('taskset') : undefined
  return [...(taskset ? [taskset, '-c', '0'] : []), ...command] as [string, ...string[]]
}

async function isUp(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/robots.txt`)).ok
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
