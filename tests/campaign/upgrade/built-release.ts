import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { RESULTS } from '#tests/runner/stages.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/**
 * The production build of a commit of this repository. It is made once, in `test-results/releases`.
 *
 * @returns its folder
 */
export function builtRelease(commit: string): string {
  const hash = git('rev-parse', '--verify', `${commit}^{commit}`)
  const folder = path.join(RESULTS, 'releases', hash)
  if (existsSync(folder)) return folder
  // Renamed once it is complete: an interrupted build is made anew.
  const half = `${folder}.half`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { recursive: true })
  const files = execFileSync('git', ['archive', hash], { cwd: root, maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', half], { input: files })
  if (lockfileOf(half) === lockfileOf(root))
    symlinkSync(path.join(root, 'node_modules'), path.join(half, 'node_modules'))
  else run('npm', ['ci'], half)
  run(process.execPath, ['server/run.mjs', 'build'], half)
  renameSync(half, folder)
  return folder
}

const git = (...words: string[]) =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()

const lockfileOf = (folder: string) => readFileSync(path.join(folder, 'package-lock.json'), 'utf8')

function run(program: string, words: readonly string[], folder: string): void {
  const { status, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}: ${stderr}`)
}
