/*
 * `npm run mutate -- [--seed N] [--count N] [--only TEXT] [--minutes N] [--patience N] [--fresh]`: changes the code in
 * small ways, one at a time, and runs the tests that reach the change. A change that no test notices shows a gap in the
 * tests: it needs a test, or a line with the reason in survivors.json.
 *
 * A run that was interrupted goes on where it stopped. After a change of the sources or tests it tries again what
 * survived. Exits with 1 if fewer than 85 % are noticed, or a survivor has no reason.
 */
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseCommandLine } from '#tests/runner/command-line.ts'
import { RESULTS } from '#tests/runner/stages.ts'
import type { Numbered } from './instrument.ts'
import { nearestFirst } from './order.ts'
import { placeOf } from './plan.ts'
import { reaching } from './reach.ts'
import { outcomeOf, show, staleReasons } from './report.ts'
import { type Share, sharesOf, tryShare } from './share.ts'
import { beginState, brokenIn, readEntries } from './state.ts'
import { chosenMutants } from './targets.ts'

const USAGE =
  'npm run mutate -- [--seed 1] [--count 1000] [--only TEXT] [--minutes 60] [--patience 6] [--processes N] [--fresh]'

const { values } = parseCommandLine(USAGE, {
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '60' },
    patience: { type: 'string', default: '6' },
    processes: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    fresh: { type: 'boolean', default: false },
  },
})
const seed = wholeNumber(values.seed)
const count = wholeNumber(values.count)
const patience = wholeNumber(values.patience) * 1_000
const deadline = Date.now() + wholeNumber(values.minutes) * 60_000

const state = placeOf(`seed-${seed}-of-${count}.jsonl`)
if (values.fresh) rmSync(state, { force: true })
const chosen = chosenMutants(seed, count)
const mutants: Numbered[] = chosen
  .filter(({ file }) => file.includes(values.only))
  .map((mutant, at) => ({ ...mutant, id: at + 1 }))
beginState(state)
const tests = nearestFirst(reaching(new Set(chosen.map(({ file }) => file))))
const sources = new Set(mutants.map(({ file }) => file))
const reachable = new Set([...sources].flatMap((source) => tests.get(source) ?? []))
console.log(
  `${mutants.length} changes of ${sources.size} files, reached by ${reachable.size} test files; state in ${state.slice(RESULTS.length + 1)}`,
)
const shares = sharesOf(mutants, wholeNumber(values.processes)).map(
  (share, at): Share => ({
    part: `process-${process.pid}-${at + 1}`,
    mutants: share,
    ...{ tests, state, deadline, patience },
  }),
)
// The processes of the tests end with this one, which Ctrl+C would end without a word to them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
await Promise.all(shares.map(tryShare))
for (const key of staleReasons(chosenMutants(seed, Number.MAX_SAFE_INTEGER)))
  console.log(`survivors.json: no such change any more: ${key}`)
const minutes = Math.ceil(performance.now() / 60_000)
console.log(`${minutes} min`)
process.exitCode = show(outcomeOf(shares), brokenIn(readEntries(state)), seed)

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  console.error(USAGE)
  return process.exit(2)
}
