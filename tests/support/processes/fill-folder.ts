import { spawn } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../../..')

/**
 * Runs a program of the tests that fills the data folder in DATA_DIR. Its own process: a server opens the same
 * files afterwards, and the tests read their rows meanwhile.
 *
 * @param environment of the server; none of ours is passed on
 */
export function fillFolder(program: string, environment: Record<string, string>): Promise<void> {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    cwd: root,
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const errors: string[] = []
  child.stderr.on('data', (chunk) => errors.push(String(chunk)))
  return new Promise((resolve, reject) =>
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} failed:\n${errors.join('')}`)),
    ),
  )
}
