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
  /** The external signer; `link` is null once they have signed. */
  guest: Pick<DemoUser, 'firstName' | 'lastName' | 'cer' | 'key' | 'keyPassword'> & {
    rfc: string
    link: string | null
  }
  refused: { kind: 'expired' | 'csd' | 'revoked'; cer: string; key: string; keyPassword: string }[]
  services: { ocsp: string; timestamps: string }
  /** Of a test's own office; the shared one is in the environment. */
  dataFolder?: string
}
/** For an office that was activated for real use: it has nothing of the demo. */
export const WITHOUT_DEMO = {
  guest: { firstName: '', lastName: '', cer: '', key: '', keyPassword: '', rfc: '', link: null },
  refused: [],
  services: { ocsp: '', timestamps: '' },
} satisfies Partial<Demo>

export type DemoServer = {
  demo: Demo
  dataFolder: string
  /** Ends the process; its data stay. */
  end(): Promise<void>
  /** Ends it at once, as a power cut does. */
  kill(): Promise<void>
  /** Starts it again with its data, at the same address. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const root = path.resolve(import.meta.dirname, '../../..')
const START_LIMIT_MS = 120_000

/**
 * Starts the production server with a new, small demo office on a free port of this machine; `stop` removes its data.
 *
 * @param environment additional variables
 */
export async function startDemoServer(
  environment: Record<string, string> = {},
): Promise<DemoServer> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'rubrica-demo-'))
  copyPreparedDemo(dataFolder)
  const port = await freePort()
  const output: string[] = []
  function started(): ChildProcess {
    const process = spawnDemo({ PORT: String(port), DATA_DIR: dataFolder, ...environment })
    process.stdout?.on('data', (chunk) => output.push(String(chunk)))
    process.stderr?.on('data', (chunk) => output.push(String(chunk)))
    return process
  }
  let child = started()
  const end = () => ended(child)
  const kill = () => ended(child, 'SIGKILL')
  const answers = () => answering(`http://localhost:${port}/robots.txt`, child)
  async function restart() {
    child = started()
    await answers()
  }
  const stop = async () => {
    await end()
    rmSync(dataFolder, { recursive: true, force: true })
  }
  try {
    await answers()
    const file = path.join(dataFolder, 'demo/demo.json')
    const demo: Demo = JSON.parse(readFileSync(file, 'utf8'))
    return { demo, dataFolder, end, kill, restart, stop }
  } catch (error) {
    await stop()
    throw new Error(`the demo did not start:\n${output.join('')}`, { cause: error })
  }
}

function spawnDemo(environment: Record<string, string>): ChildProcess {
  return spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'server/main.ts', 'demo'],
    {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', DEMO_OFFICE: 'small', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
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

function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
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
