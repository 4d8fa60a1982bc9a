import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { copyPreparedDemo } from './prepared-demo.ts'

export type DemoUser = {
  roles: string[]
  email: string
  password: string
  firstName: string
  lastName: string
  cer: string
  key: string
  keyPassword: string
}
export type Demo = {
  origin: string
  users: DemoUser[]
  refused: { kind: 'expired' | 'csd' | 'revoked'; cer: string; key: string; keyPassword: string }[]
  services: { ocsp: string; timestamps: string }
  /** Of a test's own office; the shared one is in the environment. */
  dataFolder?: string
}
export type DemoServer = {
  demo: Demo
  dataFolder: string
  /** Ends the process; its data stay. */
  end(): Promise<void>
  stop(): Promise<void>
}

const root = path.resolve(import.meta.dirname, '../../..')
const START_LIMIT_MS = 120_000

/**
 * Starts the production server with a new demo office on a free port of this machine; `stop` removes its data.
 *
 * @param environment additional variables
 */
export async function startDemoServer(
  environment: Record<string, string> = {},
): Promise<DemoServer> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'rubrica-demo-'))
  copyPreparedDemo(dataFolder)
  const port = await freePort()
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'server/main.ts', 'demo'],
    {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(port),
        DATA_DIR: dataFolder,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const output: string[] = []
  child.stdout.on('data', (chunk) => output.push(String(chunk)))
  child.stderr.on('data', (chunk) => output.push(String(chunk)))
  const end = () => ended(child)
  const stop = async () => {
    await end()
    rmSync(dataFolder, { recursive: true, force: true })
  }
  try {
    await answering(`http://localhost:${port}/robots.txt`, child)
    const file = path.join(dataFolder, 'demo/demo.json')
    return { demo: JSON.parse(readFileSync(file, 'utf8')), dataFolder, end, stop }
  } catch (error) {
    await stop()
    throw new Error(`the demo did not start:\n${output.join('')}`, { cause: error })
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

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const impatience = setTimeout(() => child.kill('SIGKILL'), 5_000)
  return gone.finally(() => clearTimeout(impatience))
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(),
      )
    })
  })
}
