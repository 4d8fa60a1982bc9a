import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { bin, ROOT } from '#tests/runner/stages.ts'
import type { Numbered } from './instrument.ts'
import { nextTests, type Order } from './order.ts'
import { PLAN_VARIABLE, type Plan, placeOf, writePlan } from './plan.ts'
import { patienceWith, readReasons } from './reasons.ts'
import { addEntry, doneIn, knownOf, postponedIn, readEntries } from './state.ts'

/** The mutants of one process: all of a file, because modules are loaded once a process. */
export type Share = {
  /** Names the files of the process: another run at the same time has others. */
  part: string
  mutants: readonly Numbered[]
  tests: Order
  state: string
  /** In ms of processor time: tests that saw a mutant without a reason for so long without failing give it up. */
  patience: number
  /** In ms. */
  deadline: number
}

/** After so many test files a process ends, with all that its mutants left in its memory. */
const FILES_A_PROCESS = 40
/** A mutant that blocks its process for so long, longer than a test may take, is noticed. */
const BLOCKED_MS = 90_000
const LOOK_EVERY_MS = 1_000

/**
 * Each process gets neighbouring files, about as many mutants as the others: the tests of a folder are alike, and slow ones would
 * take the time of the folders beside it.
 */
export function sharesOf(mutants: readonly Numbered[], count: number): Numbered[][] {
  const shares = Array.from({ length: count }, (): Numbered[] => [])
  const files = [...Map.groupBy(mutants, ({ file }) => file)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  let dealt = 0
  for (const [, ofFile] of files) {
    const middle = dealt + ofFile.length / 2
    shares[Math.floor((middle * count) / mutants.length)]?.push(...ofFile)
    dealt += ofFile.length
  }
  return shares.filter(({ length }) => length > 0)
}

/** Tries all mutants of the share, one process after the other, until its tests or the time are over. */
export async function tryShare(share: Share): Promise<void> {
  const now = placeOf(`${share.part}.now.json`)
  const place = `${share.part}.plan.json`
  let next = nextIn(share)
  while (next.length > 0 && Date.now() < share.deadline) {
    writeFileSync(now, '{}')
    const { mutants, state, patience } = share
    const plan: Plan = { mutants, tests: next, state, now, patience }
    await runPlan(writePlan(place, plan), now, share.deadline)
    recordEnd(share, now)
    const following = nextIn(share)
    // Without a result twice in a row, the file itself ends the process.
    const [first] = next
    if (first && isDeepStrictEqual(following, next) && Date.now() < share.deadline) {
      console.log(`✗ ${first.test} ends its process`)
      const sources = [...new Set(first.ids.map((id) => fileOf(mutants, id)))]
      addEntry(state, { kind: 'done', file: first.test, sources, givenUp: [] })
    }
    next = nextIn(share)
    console.log(`${share.part}: ${livingIn(share).length} mutants live`)
  }
  for (const file of [now, placeOf(place)]) rmSync(file, { force: true })
}

const fileOf = (mutants: readonly Numbered[], id: number) =>
  mutants.find((mutant) => mutant.id === id)?.file ?? ''

/** The mutants that no test has noticed and that are not given up. */
function livingIn({ mutants, state, patience }: Share): Numbered[] {
  const { killed, survived } = knownOf(readEntries(state))
  const patienceFor = patienceWith(readReasons(), patience)
  const isLiving = ({ key }: Numbered) =>
    !killed.has(key) && (survived.get(key)?.ms ?? 0) <= patienceFor(key)
  return mutants.filter(isLiving)
}

/** The test files that run next, nearest first, with the living mutants of the sources that they are near to. */
function nextIn(share: Share): Plan['tests'] {
  const living = Map.groupBy(livingIn(share), ({ file }) => file)
  const entries = readEntries(share.state)
  const [isDone, isPostponed] = [doneIn(entries), postponedIn(entries)]
  const isDoneFor = (test: string, source: string) =>
    (living.get(source) ?? []).every((mutant) => isDone(test, mutant))
  const isSlowFor = (test: string, source: string) =>
    (living.get(source) ?? []).some((mutant) => isPostponed(test, mutant))
  return nextTests(share.tests, living.keys(), isDoneFor, isSlowFor)
    .slice(0, FILES_A_PROCESS)
    .map(({ test, sources }) => {
      const mutants = sources.flatMap((source) => living.get(source) ?? [])
      const slow = mutants.filter((mutant) => isPostponed(test, mutant))
      return { test, ids: mutants.map(({ id }) => id), slowIds: slow.map(({ id }) => id) }
    })
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
