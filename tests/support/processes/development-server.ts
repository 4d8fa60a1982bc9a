import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Demo } from './demo-server.ts'
import { freePort } from './server-process.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const START_LIMIT_MS = 120_000

/** The parts of a clone that `npm run dev` needs; it contains no build. */
const SOURCES = [
  'app',
  'public',
  'server',
  '.npmrc',
  'package.json',
  'package-lock.json',
  'postcss.config.js',
  'react-router.config.ts',
  'tsconfig.json',
  'vite.config.ts',
]

export type DevelopmentServer = {
  demo: Demo & { dataFolder: string }
  port: number
  /** The copy of the checkout that it runs. */
  checkout: string
  /** Replaces the only place of `file` that reads `from`. */
  edit(file: string, from: string, to: string): void
  /** What it has printed so far. */
  output(): string
  stop(): Promise<void>
}

/** `npm run dev` in a copy of this checkout, so that a test may change sources; `stop` removes it. */
export async function startDevelopmentServer(): Promise<DevelopmentServer> {
  const checkout = mkdtempSync(path.join(tmpdir(), 'rubrica-dev-'))
  for (const place of SOURCES)
    cpSync(path.join(root, place), path.join(checkout, place), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'))
  const port = await freePort()
  const child = spawn(process.execPath, ['server/run.mjs', 'dev'], {
    cwd: checkout,
    env: { ...process.env, PORT: String(port), INIT_CWD: checkout },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: the launcher, Node's watcher and the server end together.
    detached: true,
  })
  const output: string[] = []
  child.stdout.on('data', (chunk) => output.push(String(chunk)))
  child.stderr.on('data', (chunk) => output.push(String(chunk)))
  const stop = async () => {
    await ended(child)
    rmSync(checkout, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await answering(`http://localhost:${port}/login`, child)
  } catch (error) {
    await stop()
    throw new Error(`the development server did not start:\n${output.join('')}`, { cause: error })
  }
  const dataFolder = path.join(checkout, 'data/dev')
  const demo = JSON.parse(readFileSync(path.join(dataFolder, 'demo/demo.json'), 'utf8'))
  const edit = (file: string, from: string, to: string) => {
    const place = path.join(checkout, file)
    const [before, after, ...more] = readFileSync(place, 'utf8').split(from)
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error(`${file} does not read “${from}” exactly once`)
    writeFileSync(place, before + to + after)
  }
  return {
    demo: { ...demo, dataFolder },
    port,
    checkout,
    edit,
    output: () => output.join(''),
    stop,
  }
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`nothing answers at ${url}`)
}

async function ended(child: ChildProcess): Promise<void> {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const impatience = setTimeout(() => process.kill(-pid, 'SIGKILL'), 10_000)
  await gone.finally(() => clearTimeout(impatience))
}
