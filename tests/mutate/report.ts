import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Numbered } from './instrument.ts'
import type { Share } from './share.ts'
import { doneIn, knownOf, readEntries } from './state.ts'

/** At least this part of the mutants must be noticed. */
const WANTED = 0.85

/** Why a change that no test notices is no gap in the tests: by the key of the mutant. */
const REASONS = path.join(import.meta.dirname, 'survivors.json')

/** Reasons about changes that are none of these: their sources have changed since. */
export function staleReasons(mutants: readonly Pick<Numbered, 'key'>[]): string[] {
  const keys = new Set(mutants.map(({ key }) => key))
  return Object.keys(readReasons()).filter((key) => !keys.has(key))
}

const readReasons = (): Record<string, string> => JSON.parse(readFileSync(REASONS, 'utf8'))

export type Result = {
  killed: readonly Numbered[]
  /** All tests that reach them passed. */
  survived: readonly Numbered[]
  /** Tests that reach them passed, the nearest ones, for as long as was allowed; others are left. */
  givenUp: readonly Numbered[]
  /** No test ran through them. */
  unreached: readonly Numbered[]
  /** The time was over before their tests were. */
  untried: readonly Numbered[]
}

export function outcomeOf(shares: readonly Share[]): Result {
  const results = shares.map(outcomeOfShare)
  return resultWith((kind) => results.flatMap((result) => result[kind]))
}

function outcomeOfShare({ mutants, tests, state, patience }: Share): Result {
  const entries = readEntries(state)
  const { killed, survived } = knownOf(entries)
  const isDone = doneIn(entries)
  const kindOf = (mutant: Numbered): keyof Result => {
    const { key, file } = mutant
    if (killed.has(key)) return 'killed'
    if ((tests.get(file) ?? []).every((test) => isDone(test, mutant)))
      return survived.has(key) ? 'survived' : 'unreached'
    return (survived.get(key)?.ms ?? 0) > patience ? 'givenUp' : 'untried'
  }
  const kinds = Map.groupBy(mutants, kindOf)
  return resultWith((kind) => kinds.get(kind) ?? [])
}

const resultWith = (of: (kind: keyof Result) => readonly Numbered[]): Result => ({
  killed: of('killed'),
  survived: of('survived'),
  givenUp: of('givenUp'),
  unreached: of('unreached'),
  untried: of('untried'),
})

/**
 * @param broken test files of which no test passes without a mutant
 * @returns the exit status
 */
export function show(
  { killed, survived, givenUp, unreached, untried }: Result,
  broken: ReadonlySet<string>,
  seed: number,
): number {
  const reasons = readReasons()
  const lines = (title: string, mutants: readonly Numbered[]) => {
    const unexplained = mutants.filter(({ key }) => reasons[key] === undefined)
    for (const { file, line, operator, key } of unexplained)
      console.log(`✗ ${title} ${file}:${line} (${operator}) ${key.slice(file.length + 1)}`)
    return unexplained.length
  }
  for (const file of broken) console.log(`✗ no test of ${file} passes without a mutant`)
  const without =
    lines('survived', survived) + lines('given up', givenUp) + lines('not reached', unreached)
  for (const { key } of killed)
    if (reasons[key] !== undefined) console.log(`survivors.json: a test notices ${key}`)
  // Those that were not tried to the end count, too: the ones that are noticed are the quick ones.
  const all = killed.length + survived.length + givenUp.length + unreached.length + untried.length
  const part = all === 0 ? 1 : killed.length / all
  console.log(
    `seed ${seed}: ${all} mutants, ${killed.length} killed (${(part * 100).toFixed(1)} %), ${survived.length} survived, ${givenUp.length} given up, ${unreached.length} not reached by a test, ${untried.length} not tried to the end; ${without} without a reason`,
  )
  return part >= WANTED && without === 0 && untried.length === 0 && broken.size === 0 ? 0 : 1
}
