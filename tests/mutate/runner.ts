import { utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, TestRunner, vi } from 'vitest'
import { startTests } from 'vitest/internal/browser'
import { ROOT } from '#tests/runner/stages.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import { SWITCH } from './instrument.ts'
import { readPlan } from './plan.ts'
import { patienceWith, readReasons } from './reasons.ts'
import { addEntry, knownOf, readEntries } from './state.ts'

/*
 * Runs each test file as usual and notes which tests reach which mutants. Then it runs, for each of these mutants, the
 * tests that reach it once more with the mutant switched on, until one fails.
 */

const plan = readPlan()
const byId = new Map(plan.mutants.map((mutant) => [mutant.id, mutant]))
const { killed, survived } = knownOf(readEntries(plan.state))
const isKilled = new Set(killed.keys())
const spent = new Map([...survived].map(([key, { ms }]) => [key, ms]))
const patienceFor = patienceWith(readReasons(), plan.patience)

/** How often each mutant was reached, and how often the one that is switched on may be. */
const hits = new Uint32Array(Math.max(0, ...byId.keys()) + 1)
const on = { id: 0, left: 0 }
/** Reached while modules were loaded: they take effect only when modules are loaded anew. */
const atLoading = new Set<number>()

/**
 * Sources with mutants that tests reach while they run; a test that reaches none of them is far from the others, too.
 * Mutants in functions that only the loading of their module calls do not count: no test reaches them while it runs.
 */
const sourcesThatRun = () =>
  new Set(
    plan.mutants
      .filter(({ id, isAtLoading }) => !isAtLoading && !atLoading.has(id))
      .map(({ file }) => file),
  )

/**
 * So long, in ms of processor time, the quickest tests of a file run for a mutant, before the others come those of other files:
 * of a file that is near to its source, and of any other, which runs only because it has been loaded.
 */
const SLOW_MS = 1_000
const FAR_MS = 250

/** A loop that a mutant never lets end goes through its switch again and again. */
const MOST_HITS = 100
const FEWEST_HITS = 100_000

Object.assign(globalThis, {
  [SWITCH](id: number): boolean {
    if (on.id !== id) {
      if (on.id === 0) hits[id] = (hits[id] ?? 0) + 1
      return false
    }
    on.left -= 1
    if (on.left < 0) throw new Error(`mutant ${id} does not end`)
    return true
  },
})

/** What the tests of a file reach without a mutant. */
type Baseline = {
  filepath: string
  /** The tests that reach each mutant. */
  reachedBy: Map<number, Set<string>>
  /** Reached by hooks of suites, whose results any test may use. */
  inHooks: Set<number>
  passed: Set<string>
  /** In ms of processor time. */
  times: Map<string, number>
  /** The same of the hooks of suites, which run before any of the tests. */
  hooksMs: number
}

/**
 * What a run of tests found, the tests that ran until then, and its processor time in ms: the wall clock of a busy machine
 * says nothing.
 */
type Outcome = { failed: string | undefined; ran: ReadonlySet<string>; ms: number }

export default class MutantRunner extends TestRunner {
  #baseline: Baseline | undefined
  #before = hits.slice()
  #begun = process.cpuUsage()
  #fileBegun = process.cpuUsage()

  onBeforeRunFiles([file]: RunnerTestFile[]): void {
    if (!file) return
    for (const id of this.#news()) atLoading.add(id)
    for (const suite of suitesOf(file)) if (/postgres/.test(suite.name)) suite.mode = 'skip'
    const { filepath } = file
    this.#baseline = {
      ...{ filepath, reachedBy: new Map(), inHooks: new Set() },
      ...{ passed: new Set(), times: new Map(), hooksMs: 0 },
    }
    this.#fileBegun = process.cpuUsage()
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    for (const id of this.#news()) this.#baseline?.inHooks.add(id)
    await super.onBeforeRunTask(test)
    this.#begun = process.cpuUsage()
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test)
    const { reachedBy, passed, times } = this.#baseline ?? {}
    times?.set(test.id, msSince(this.#begun))
    for (const id of this.#news()) reachedBy?.set(id, (reachedBy.get(id) ?? new Set()).add(test.id))
    if (test.result?.state === 'pass') passed?.add(test.id)
  }

  override async onAfterRunFiles(files: RunnerTestFile[]): Promise<void> {
    super.onAfterRunFiles(files)
    const baseline = this.#baseline
    this.#baseline = undefined
    if (baseline) {
      const ofTests = [...baseline.times.values()].reduce((sum, ms) => sum + ms, 0)
      baseline.hooksMs = msSince(this.#fileBegun) - ofTests
      await this.#hunt(baseline)
    }
    this.#before = hits.slice()
  }

  /** The mutants that were reached since the last call. */
  #news(): number[] {
    const found = [...byId.keys()].filter((id) => hits[id] !== this.#before[id])
    this.#before = hits.slice()
    return found
  }

  async #hunt(baseline: Baseline): Promise<void> {
    const file = path.relative(ROOT, baseline.filepath)
    const { ids = [], slowIds = [] } = plan.tests.find(({ test }) => test === file) ?? {}
    if (baseline.passed.size === 0) addEntry(plan.state, { kind: 'broken', file })
    const controls = new Map<string, boolean>()
    const givenUp: string[] = []
    const postponed: string[] = []
    const near = new Set(ids)
    for (const { mutant, tests, isAtLoading } of this.#candidates(baseline, near)) {
      if (survived.get(mutant.key)?.files.has(file)) continue
      if ((spent.get(mutant.key) ?? 0) > patienceFor(mutant.key)) {
        givenUp.push(mutant.key)
        continue
      }
      const longest = near.has(mutant.id) ? SLOW_MS : isAtLoading ? 0 : FAR_MS
      const chosen = slowIds.includes(mutant.id)
        ? tests
        : quickestOf(tests, baseline.times, longest - baseline.hooksMs)
      const isPartial = chosen.size < tests.size
      if (chosen.size === 0) {
        postponed.push(mutant.key)
        continue
      }
      writeFileSync(plan.now, JSON.stringify({ key: mutant.key, file }))
      const { failed, ran, ms } = await this.#withMutant(
        mutant.id,
        baseline.filepath,
        chosen,
        isAtLoading,
      )
      const isProof = failed !== undefined && (await this.#passes(baseline, ran, controls))
      spent.set(mutant.key, (spent.get(mutant.key) ?? 0) + ms)
      if (isProof) isKilled.add(mutant.key)
      const { key } = mutant
      const took = Math.round(ms)
      if (isProof) addEntry(plan.state, { kind: 'killed', key, by: `${file}: ${failed}`, ms: took })
      else addEntry(plan.state, { kind: 'survived', key, file, ms: took, isPartial })
      if (!isProof && isPartial) postponed.push(key)
    }
    writeFileSync(plan.now, '{}')
    // What is said of a source that the tests do not reach spares loading them for it.
    const sources = [...new Set(plan.mutants.map((mutant) => mutant.file))]
    addEntry(plan.state, { kind: 'done', file, sources, givenUp, postponed })
  }

  /** Living mutants with the tests that may see them, near ones first; those that need modules loaded anew come last. */
  #candidates({ reachedBy, inHooks, passed }: Baseline, near: ReadonlySet<number>) {
    const reached = [...reachedBy.keys(), ...inHooks]
    const sources = new Set(reached.map((id) => byId.get(id)?.file))
    const mayRun = sourcesThatRun()
    return [...byId]
      .flatMap(([id, mutant]) => {
        const isAtLoading = mutant.isAtLoading || atLoading.has(id)
        const isNear = sources.has(mutant.file) || !mayRun.has(mutant.file)
        const isWhole = inHooks.has(id) || (isAtLoading && isNear)
        const own = reachedBy.get(id) ?? new Set<string>()
        const tests = isWhole ? passed : own.intersection(passed)
        if (isKilled.has(mutant.key) || tests.size === 0) return []
        const rank = (isAtLoading ? 2 : 0) + (near.has(id) ? 0 : 1)
        return [{ mutant, tests, isAtLoading, rank }]
      })
      .toSorted((a, b) => a.rank - b.rank)
  }

  async #withMutant(
    id: number,
    filepath: string,
    tests: ReadonlySet<string>,
    isAtLoading: boolean,
  ): Promise<Outcome> {
    on.id = id
    on.left = Math.max(FEWEST_HITS, MOST_HITS * (hits[id] ?? 0))
    if (isAtLoading) vi.resetModules()
    try {
      return await this.#again(filepath, tests)
    } finally {
      on.id = 0
      if (isAtLoading) vi.resetModules()
    }
  }

  /** Whether these tests pass by themselves, without the tests before them and without a mutant. */
  async #passes(
    { filepath, passed }: Baseline,
    tests: ReadonlySet<string>,
    controls: Map<string, boolean>,
  ): Promise<boolean> {
    const name = tests.size === passed.size ? 'all' : [...tests].join()
    const known = controls.get(name)
    if (known !== undefined) return known
    const { failed } = await this.#again(filepath, tests)
    controls.set(name, failed === undefined)
    return failed === undefined
  }

  /** Runs these tests of the file until one fails. */
  async #again(filepath: string, tests: ReadonlySet<string>): Promise<Outcome> {
    const found: { failed?: string } = {}
    const ran = new Set<string>()
    const quiet = async () => undefined
    const inner: TestRunner = Object.create(this, {
      onCollectStart: { value: quiet },
      onCollected: { value: quiet },
      onTaskUpdate: { value: quiet },
      onTestAnnotate: { value: quiet },
      onAfterRunFiles: { value: quiet },
      onCleanupWorkerContext: { value: undefined },
      onBeforeRunFiles: {
        value: ([file]: RunnerTestFile[]) => {
          if (file?.result?.state === 'fail') found.failed = 'it does not load'
          else if (file) skipOthers(file, tests)
        },
      },
      onBeforeRunTask: {
        value: async (test: RunnerTestCase) => {
          if (found.failed !== undefined) test.mode = 'skip'
          else if (tests.has(test.id)) ran.add(test.id)
        },
      },
      onAfterRunTask: {
        value: (test: RunnerTestCase) => {
          // Shows that the process is not blocked.
          utimesSync(plan.now, new Date(), new Date())
          if (test.result?.state === 'fail') found.failed ??= test.name
        },
      },
    })
    const ms = await cpuTimeOf(async () => {
      const [file] = await startTests([filepath], inner)
      if (file && hasFailed(file)) found.failed ??= 'a hook'
    })
    // The hook may be one of tests that did not come to run.
    return { failed: found.failed, ran: found.failed === 'a hook' ? tests : ran, ms }
  }
}

function msSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1_000
}

/** As many of the tests as take so long together. */
function quickestOf(
  tests: ReadonlySet<string>,
  times: ReadonlyMap<string, number>,
  longest: number,
): Set<string> {
  const timeOf = (test: string) => times.get(test) ?? 0
  let spent = 0
  const isInTime = (test: string) => {
    spent += timeOf(test)
    return spent <= longest
  }
  return new Set([...tests].toSorted((a, b) => timeOf(a) - timeOf(b)).filter(isInTime))
}

/** @returns whether one of the tests is in it */
function skipOthers(task: RunnerTask, tests: ReadonlySet<string>): boolean {
  const isIn =
    task.type === 'test'
      ? tests.has(task.id)
      : task.tasks.map((one) => skipOthers(one, tests)).includes(true)
  if (!isIn) task.mode = 'skip'
  return isIn
}

const suitesOf = (task: RunnerTask): RunnerTask[] =>
  task.type === 'suite' ? [task, ...task.tasks.flatMap(suitesOf)] : []

const hasFailed = (task: RunnerTask): boolean =>
  task.result?.state === 'fail' || (task.type === 'suite' && task.tasks.some(hasFailed))
