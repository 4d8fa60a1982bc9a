import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')

/** Node's flags that make a program write its peak memory; see peak-memory.ts. */
export const WATCH_MEMORY = ['--import', path.join(ROOT, 'tests/bench/peak-memory.ts')]

/** The peak memory that an ended program wrote into `file`, in megabytes. */
export const readPeakMegabytes = (file: string) => Number(readFileSync(file, 'utf8')) / 1024

const PATIENCE_MS = 60_000

/**
 * Wall time of a program from start to end, in milliseconds.
 *
 * @throws {Error} with its output if it does not exit with 0
 */
export function timeOf(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE_MS,
    })
    const said: Buffer[] = []
    child.stdout.on('data', (chunk) => said.push(chunk))
    child.stderr.on('data', (chunk) => said.push(chunk))
    child.once('error', reject)
    child.once('close', (code) => {
      const end = performance.now()
      if (code === 0) return resolve(end - start)
      const words = Buffer.concat(said).toString('utf8').trim()
      reject(new Error(`${path.basename(program)} ${args.join(' ')} ended with ${code}: ${words}`))
    })
  })
}
