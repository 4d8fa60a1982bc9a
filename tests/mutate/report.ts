import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Numbered } from './instrument.ts'
import { PATIENCE_MS, type Share } from './share.ts'
import { doneIn, knownOf, readEntries } from './state.ts'

/** Of the mutants that were tried, at least this part must be noticed. */
const WANTED = 0.85

/** Why a change that no test notices is no gap in the tests: by the key of the mutant. */
const REASONS = path.join(import.meta.dirname, 'survivors.json')

export type Result = {
  killed: readonly Numbered[]
  /** Tests ran through them and passed. */
  survived: readonly Numbered[]
  /** No test ran through them. */
  unreached: readonly Numbered[]
  /** The time was over before. */
  untried: readonly Numbered[]
}

export function outcomeOf(shares: readonly Share[]): Result {
  const results = shares.map(outcomeOfShare)
  return resultWith((kind) => results.flatMap((result) => result[kind]))
}

function outcomeOfShare({ part, mutants, tests, state }: Share): Result {
  const entries = readEntries(state)
  const { killed, survived } = knownOf(entries)
  const done = doneIn(entries, part)
  const isOver = ({ key, file }: Numbered) =>
    (survived.get(key)?.ms ?? 0) > PATIENCE_MS ||
    tests.every(({ test, sources }) => !sources.includes(file) || done.has(test))
  const kindOf = (mutant: Numbered): keyof Result => {
    if (killed.has(mutant.key)) return 'killed'
    if (!isOver(mutant)) return 'untried'
    return survived.has(mutant.key) ? 'survived' : 'unreached'
  }
  const kinds = Map.groupBy(mutants, kindOf)
  return resultWith((kind) => kinds.get(kind) ?? [])
}

const resultWith = (of: (kind: keyof Result) => readonly Numbered[]): Result => ({
  killed: of('killed'),
  survived: of('survived'),
  unreached: of('unreached'),
  untried: of('untried'),
})

/**
 * @param broken test files of which no test passes without a mutant
 * @returns the exit status
 */
export function show(
  { killed, survived, unreached, untried }: Result,
  broken: ReadonlySet<string>,
  seed: number,
): number {
  const reasons: Record<string, string> = JSON.parse(readFileSync(REASONS, 'utf8'))
  const lines = (title: string, mutants: readonly Numbered[]) => {
    const unexplained = mutants.filter(({ key }) => reasons[key] === undefined)
    for (const { file, line, operator, key } of unexplained)
      console.log(`✗ ${title} ${file}:${line} (${operator}) ${key.slice(file.length + 1)}`)
    return unexplained.length
  }
  for (const file of broken) console.log(`✗ no test of ${file} passes without a mutant`)
  const without = lines('survived', survived) + lines('not reached', unreached)
  for (const { key } of killed)
    if (reasons[key] !== undefined) console.log(`survivors.json: a test notices ${key}`)
  const tried = killed.length + survived.length + unreached.length
  const part = tried === 0 ? 1 : killed.length / tried
  console.log(
    `seed ${seed}: ${tried} mutants tried, ${killed.length} killed (${(part * 100).toFixed(1)} %), ${survived.length} survived, ${unreached.length} not reached by a test, ${untried.length} not tried; ${without} without a reason`,
  )
  return part >= WANTED && without === 0 && untried.length === 0 && broken.size === 0 ? 0 : 1
}
