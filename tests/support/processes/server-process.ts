import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { copyPreparedDemo } from './prepared-demo.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const START_LIMIT_MS = 120_000

export type ServerProcess = {
  readonly dataFolder: string
  /** Its process. */
  readonly pid: number
  /** Whether it has ended by itself. */
  readonly hasEnded: () => boolean
  /** Its output for the operator so far. */
  readonly said: () => string
  /** Its log so far. */
  readonly logged: () => string
  /** Ends it as a power cut does: nothing is finished. */
  kill(): Promise<void>
  stop(): Promise<void>
}

type StartOptions = {
  /** Fills the data folder before the start. */
  fill?: (dataFolder: string) => Promise<void>
  /** Of Node. */
  flags?: readonly string[]
  /** The folder of another release, built. */
  release?: string
}

/**
 * Starts the production server with its own data; resolves once it prints its address.
 *
 * @param environment set by the operator; none of ours is passed on
 */
export async function startServer(
  mode: 'demo' | 'start',
  environment: Record<string, string>,
  { fill, ...how }: StartOptions = {},
): Promise<ServerProcess> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'rubrica-server-'))
  if (mode === 'demo') copyPreparedDemo(dataFolder)
  await fill?.(dataFolder)
  const child = spawnServer(mode, { DATA_DIR: dataFolder, ...environment }, how)
  const output = outputOf(child)
  const stop = async () => {
    await ended(child)
    rmSync(dataFolder, { recursive: true, force: true })
  }
  const deadline = Date.now() + START_LIMIT_MS
  while (!/https?:\/\/\S+/.test(output.said()) || !output.said().endsWith('\n')) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error(`the server did not start:\n${output.said()}${output.logged()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const kill = () => ended(child, 'SIGKILL')
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return { dataFolder, pid: child.pid ?? 0, hasEnded, ...output, kill, stop }
}

/** Starts the server with a configuration that it must refuse; returns its exit code and output. */
export async function startRefused(
  environment: Record<string, string>,
): Promise<{ code: number | null; said: string }> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'rubrica-server-'))
  const child = spawnServer('start', { DATA_DIR: dataFolder, ...environment })
  const output = outputOf(child)
  const late = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS)
  await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(late)
  rmSync(dataFolder, { recursive: true, force: true })
  return { code: child.exitCode, said: output.logged() }
}

/** Kills the server so long after its process began, and returns its log. */
export async function killWhileStarting(
  mode: 'demo' | 'start',
  environment: Record<string, string>,
  afterMs: number,
): Promise<string> {
  const child = spawnServer(mode, environment)
  const output = outputOf(child)
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  await ended(child, 'SIGKILL')
  return output.logged()
}

/** A free port of this machine. */
export function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

function spawnServer(
  mode: string,
  environment: Record<string, string>,
  { flags = [], release = root }: Omit<StartOptions, 'fill'> = {},
): ChildProcess {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE = '' } = process.env
  const passed = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, NODE_ENV: 'production' }
  return spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...flags, 'server/main.ts', mode],
    {
      cwd: release,
      env: { ...passed, DEMO_OFFICE: 'small', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
}

function outputOf(child: ChildProcess) {
  const [said, logged]: [string[], string[]] = [[], []]
  child.stdout?.on('data', (chunk) => said.push(String(chunk)))
  child.stderr?.on('data', (chunk) => logged.push(String(chunk)))
  return { said: () => said.join(''), logged: () => logged.join('') }
}

function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  const impatience = setTimeout(() => child.kill('SIGKILL'), 5_000)
  return gone.finally(() => clearTimeout(impatience))
}
