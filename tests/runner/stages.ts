import { spawn } from 'node:child_process'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')
export const RESULTS = path.join(ROOT, 'test-results')
export const bin = (name: string) => path.join(ROOT, 'node_modules/.bin', name)

/** The counts of a stage; a stage that only prepares others has none. */
export type Outcome = {
  passed: number
  failed: number
  /** A line each, which names the test and how it failed; fewer than failed if something else went wrong. */
  failures?: readonly string[]
  /** The time of each file with tests, all of its tests together. */
  files?: readonly FileTime[]
}
/** What a test that failed is called, and the beginning of its message: an expectation fills some lines. */
export const lineOf = (name: string, message = '') =>
  `${name}: ${message.replace(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS)}`

const MOST_CHARACTERS = 200

export type FileTime = { file: string; milliseconds: number }
export type Stage = { name: string; milliseconds: number } & Partial<Outcome>

export type Program = {
  program: string
  args: readonly string[]
  environment?: NodeJS.ProcessEnv
}

/** Runs one stage and records its time. */
export async function timed<T extends Outcome | undefined>(
  stages: Stage[],
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const start = performance.now()
  const outcome = await work()
  const { passed, failed, failures = [], files = [] } = outcome ?? {}
  const counts = passed !== undefined && failed !== undefined && { passed, failed, failures, files }
  stages.push({ name, milliseconds: performance.now() - start, ...counts })
  return outcome
}

/** A program as a check: it passes when it exits with 0. */
export const asCheck = (status: number): Outcome =>
  status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }

/** Runs a program in sight. @returns its exit status */
export function run({ program, args, environment }: Program): Promise<number> {
  console.log(titleOf({ program, args }))
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  })
  return ended(child)
}

/** Runs a program in the background; `tell` prints its output in one piece. */
export async function runAside(program: Program): Promise<{ status: number; tell(): void }> {
  const child = spawn(program.program, program.args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...program.environment },
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => said.push(text))
  const status = await ended(child)
  return { status, tell: () => console.log(`${titleOf(program)}\n${said.join('').trimEnd()}`) }
}

const titleOf = ({ program, args }: Program) => `\n— ${path.basename(program)} ${args.join(' ')}`

function ended(child: ReturnType<typeof spawn>): Promise<number> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(1))
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/**
 * The last lines of a run: the files that took longest, the tests that failed, a line a stage with its time, then the
 * totals. Some machines that run the tests keep only the end of what they print.
 *
 * @param milliseconds of the whole run, less than the sum: stages run in parallel
 */
export function summaryOf(stages: readonly Stage[], milliseconds: number): string {
  const width = Math.max(...stages.map(({ name }) => name.length), WHOLE.length)
  const lines = stages.map(({ name, milliseconds: time, passed, failed }) => {
    const counts = passed === undefined ? '' : `   ${passed} passed, ${failed} failed`
    return `${failed ? '✗' : '✓'} ${name.padEnd(width)}  ${clock(time)}${counts}`
  })
  const failures = stages.flatMap((stage) => (stage.failures ?? []).slice(0, MOST_NAMED))
  const named = failures.map((failure) => `✗ ${failure}`)
  const { passed, failed } = totalOf(stages)
  const whole = `  ${WHOLE.padEnd(width)}  ${clock(milliseconds)}`
  const slow = stages.flatMap(({ files = [] }) => slowestOf(files))
  return [...slow, ...named, ...lines, whole, `${passed} passed, ${failed} failed`].join('\n')
}

/** The first files to look at when the suite is too slow. */
const slowestOf = (files: readonly FileTime[]) =>
  files
    .toSorted((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, MOST_SLOW)
    .map(({ file, milliseconds }) => `  ${clock(milliseconds)}  ${file}`)

const MOST_SLOW = 10

const WHOLE = 'whole run'
const MOST_NAMED = 20

export function totalOf(stages: readonly Stage[]): Outcome {
  const sum = (numbers: (number | undefined)[]) =>
    numbers.reduce<number>((total, number) => total + (number ?? 0), 0)
  return {
    passed: sum(stages.map(({ passed }) => passed)),
    failed: sum(stages.map(({ failed }) => failed)),
  }
}

/** Minutes and seconds, right-aligned. */
function clock(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`.padStart(6)
}
