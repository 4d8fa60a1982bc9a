/*
 * `npm run campaign -- NAME [--seed N] [--count N] [--fresh] [--release COMMIT]`: many tries against the production server on this machine.
 *
 * killed    ends the server at random moments of its work, on SQLite and on PostgreSQL, some on a full disk
 * steps     ends a process at each step from the opening of a session to the constancia, on SQLite and on PostgreSQL
 * fleet     ends two to four machines of one office, one after the other and all at once, while users sign
 * hostile   sends it what no honest program sends
 * upgrade   replaces the release of that commit by this one on two machines, one after the other, while users sign
 *
 * Each try is recorded in test-results/campaign/NAME.jsonl. A run that was interrupted goes on behind the last one.
 * Exits with 1 if something was found.
 */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { exitWith, parseCommandLine } from '#tests/runner/command-line.ts'
import { RESULTS } from '#tests/runner/stages.ts'
import type { Campaign, StartCampaign } from './campaign.ts'
import { addProgress, differenceOf, nextOf, readProgress, sumOfFigures } from './progress.ts'

const USAGE =
  'npm run campaign -- killed|steps|fleet|hostile|upgrade [--seed 1] [--count N] [--fresh] [--release COMMIT]'
const PROGRESS_MS = 10_000

const CAMPAIGNS: Record<string, () => Promise<StartCampaign>> = {
  killed: async () => (await import('./killed/killed.ts')).startKilled,
  steps: async () => (await import('./steps/steps.ts')).startSteps,
  fleet: async () => (await import('./fleet/fleet.ts')).startFleet,
  hostile: async () => (await import('./hostile/hostile.ts')).startHostile,
  upgrade: async () => (await import('./upgrade/upgrade.ts')).startUpgrade,
}

const { values, positionals } = parseCommandLine(USAGE, {
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    release: { type: 'string' },
  },
})
const [name = '', ...more] = positionals
const load = CAMPAIGNS[name]
if (!load || more.length > 0) exitWith(USAGE, 2)
const seed = wholeNumber(values.seed)
const state = path.join(RESULTS, 'campaign', `${name}.jsonl`)
if (values.fresh) rmSync(state, { force: true })

const start = performance.now()
const first = nextOf(readProgress(state, seed))
const campaign = await (await load())(seed, first, { release: values.release })
const count = values.count === undefined ? campaign.count : wholeNumber(values.count)
if (campaign.note) console.log(campaign.note)
if (first > 0) console.log(`${Math.min(first, count)} of ${count} were tried before`)
const isStopped = { value: false }
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isStopped.value = true
  })
try {
  await runFrom(first, campaign)
} finally {
  await campaign.close()
}
process.exitCode = conclude()

async function runFrom(from: number, { tryOne, end, figures }: Campaign): Promise<void> {
  let before: Record<string, number> = {}
  let shown = start
  const record = (number: number | null, findings: readonly string[]) => {
    addProgress(state, { seed, number, findings, figures: differenceOf(figures(), before) })
    before = { ...figures() }
    for (const finding of findings) console.log(`✗ ${number ?? 'at the end'}: ${finding}`)
  }
  for (let number = from; number < count && !isStopped.value; number++) {
    record(number, await tryOne(number))
    if (performance.now() - shown < PROGRESS_MS) continue
    shown = performance.now()
    console.log(`${number + 1} of ${count}`)
  }
  if (from < count) record(null, await end())
}

/** Prints the last line. @returns the exit status */
function conclude(): number {
  const entries = readProgress(state, seed)
  const findings = entries.flatMap((entry) => entry.findings)
  const figures = Object.entries(sumOfFigures(entries)).map(([what, value]) => `${value} ${what}`)
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(
    `${name}, seed ${seed}: ${nextOf(entries)} of ${count} tried (${figures.join(', ')}) in ${seconds} s, ${findings.length} findings`,
  )
  return findings.length === 0 && nextOf(entries) >= count ? 0 : 1
}

function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : exitWith(USAGE, 2)
}
