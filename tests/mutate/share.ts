import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bin, ROOT } from '#tests/runner/stages.ts'
import type { Numbered } from './instrument.ts'
import { PLAN_VARIABLE, type Plan, placeOf, writePlan } from './plan.ts'
import type { Reach } from './reach.ts'
import { addEntry, doneIn, knownOf, readEntries } from './state.ts'

/** The mutants of one process: all of a file, because modules are loaded once a process. */
export type Share = {
  /** Names the process in the state. */
  part: string
  mutants: readonly Numbered[]
  tests: readonly Reach[]
  state: string
  /** In ms. */
  deadline: number
}

/** After so many test files a process ends, with all that its mutants left in its memory. */
const FILES_A_PROCESS = 40
/** Tests that saw a mutant for so long without failing give it up: they are the nearest ones. */
export const PATIENCE_MS = 20_000
/** A mutant that blocks its process for so long is noticed. */
const BLOCKED_MS = 60_000
const LOOK_EVERY_MS = 1_000

/** Files of sources are dealt out by the number of their mutants. */
export function sharesOf(mutants: readonly Numbered[], count: number): Numbered[][] {
  const shares = Array.from({ length: count }, (): Numbered[] => [])
  const files = Map.groupBy(mutants, ({ file }) => file)
  const byNumber = [...files.values()].toSorted((a, b) => b.length - a.length)
  for (const ofFile of byNumber) shares.toSorted((a, b) => a.length - b.length)[0]?.push(...ofFile)
  return shares.filter(({ length }) => length > 0)
}

/** Tries all mutants of the share, one process after the other, until its tests or the time are over. */
export async function tryShare(share: Share): Promise<void> {
  const now = placeOf(`${share.part}.now.json`)
  let left = remaining(share)
  while (left.length > 0 && Date.now() < share.deadline) {
    writeFileSync(now, '{}')
    const tests = left.slice(0, FILES_A_PROCESS)
    const { part, mutants, state } = share
    const plan: Plan = { part, mutants, tests, state, now, patience: PATIENCE_MS }
    await runPlan(writePlan(`${share.part}.plan.json`, plan), now, share.deadline)
    recordEnd(share, now)
    const rest = remaining(share)
    const isStuck = rest[0]?.test === left[0]?.test && rest.length === left.length
    // Without a result twice in a row, the file itself ends the process.
    if (isStuck && left[0] && Date.now() < share.deadline) {
      console.log(`✗ ${left[0].test} ends its process`)
      addEntry(state, { kind: 'done', part: share.part, file: left[0].test })
    }
    left = remaining(share)
    console.log(`${share.part}: ${left.length} test files left`)
  }
}

/** The test files that are not done yet and reach a mutant that is worth a try. */
function remaining({ part, mutants, tests, state }: Share): Plan['tests'] {
  const entries = readEntries(state)
  const { killed, survived } = knownOf(entries)
  const isLiving = ({ key }: Numbered) =>
    !killed.has(key) && (survived.get(key)?.ms ?? 0) <= PATIENCE_MS
  const living = Map.groupBy(mutants.filter(isLiving), ({ file }) => file)
  const done = doneIn(entries, part)
  return tests
    .filter(({ test }) => !done.has(test))
    .map(({ test, sources }) => {
      const ids = sources.flatMap((source) => (living.get(source) ?? []).map(({ id }) => id))
      return { test, ids }
    })
    .filter(({ ids }) => ids.length > 0)
}

/** A mutant that was tried when the process ended, ended it. */
function recordEnd({ state, deadline }: Share, now: string): void {
  const { key, file } = JSON.parse(readFileSync(now, 'utf8')) as { key?: string; file?: string }
  if (key === undefined || Date.now() >= deadline) return
  addEntry(state, { kind: 'killed', key, by: `${file}: it does not end, or ends the process` })
}

async function runPlan(plan: string, now: string, deadline: number): Promise<void> {
  const config = path.join(ROOT, 'tests/mutate/vitest.config.ts')
  // A group of its own: a blocked worker ends with its parent.
  const child = spawn(bin('vitest'), ['run', '--config', config], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_ENV: 'test', [PLAN_VARIABLE]: plan },
  })
  const complaints: string[] = []
  child.stderr.on('data', (chunk) => complaints.push(String(chunk)))
  const watch = setInterval(() => {
    const { size, mtimeMs } = statSync(now)
    const isBlocked = size > 2 && Date.now() - mtimeMs > BLOCKED_MS
    if (isBlocked || Date.now() > deadline) endGroup(child)
  }, LOOK_EVERY_MS)
  const stop = () => endGroup(child)
  process.once('exit', stop)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  process.off('exit', stop)
  clearInterval(watch)
  if (code !== 0 && process.env.RUBRICA_VERBOSE) console.log(complaints.join(''))
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
