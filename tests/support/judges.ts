import { spawnSync } from 'node:child_process'
import { JUDGES, type Judge } from './machine.ts'

export type Testimony = { status: number; output: string; errors: string }

/**
 * An independent program, as a function from arguments to output.
 *
 * @throws {Error} with installation instructions if it is not on the PATH
 */
export function judge(program: Judge) {
  return (...args: string[]): Testimony => {
    const run = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 << 20 })
    if (run.error && 'code' in run.error && run.error.code === 'ENOENT')
      throw new Error(
        `${program} is not installed; it judges our output: apt-get install ${JUDGES[program]}`,
      )
    if (run.error) throw run.error
    return { status: run.status ?? -1, output: run.stdout, errors: run.stderr }
  }
}
