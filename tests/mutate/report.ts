import type { Numbered } from './instrument.ts'
import { patienceWith, readReasons } from './reasons.ts'
import type { Share } from './share.ts'
import { doneIn, knownOf, readEntries } from './state.ts'
import { FOLDERS } from './targets.ts'

/** At least this part of the mutants of each folder must be noticed. */
const WANTED = 0.85

/** Reasons about changes that are none of these: their sources have changed since. */
export function staleReasons(mutants: readonly Pick<Numbered, 'key'>[]): string[] {
  const keys = new Set(mutants.map(({ key }) => key))
  return Object.keys(readReasons()).filter((key) => !keys.has(key))
}

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
  const patienceFor = patienceWith(readReasons(), patience)
  const kindOf = (mutant: Numbered): keyof Result => {
    const { key, file } = mutant
    if (killed.has(key)) return 'killed'
    if ((tests.get(file) ?? []).every((test) => isDone(test, mutant)))
      return survived.has(key) ? 'survived' : 'unreached'
    return (survived.get(key)?.ms ?? 0) > patienceFor(key) ? 'givenUp' : 'untried'
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

const countsOf = ({ killed, survived, givenUp, unreached, untried }: Result) => {
  const counts = [killed, survived, givenUp, unreached, untried].map(({ length }) => length)
  return { counts, all: counts.reduce((sum, one) => sum + one, 0) }
}

/** Those that were not tried to the end count, too: the ones that are noticed are the quick ones. */
function partOf(result: Result): number {
  const { all } = countsOf(result)
  return all === 0 ? 1 : result.killed.length / all
}

/** One line of figures. */
export function figuresOf(result: Result): string {
  const { counts, all } = countsOf(result)
  const [killed, survived, givenUp, unreached, untried] = counts
  const percent = (partOf(result) * 100).toFixed(1)
  return `${all} mutants, ${killed} killed (${percent} %), ${survived} survived, ${givenUp} given up, ${unreached} not reached by a test, ${untried} not tried to the end`
}

/** The result of the mutants below each folder that has any. */
export function byFolder(
  result: Result,
  folders: readonly string[],
): { folder: string; result: Result }[] {
  const below = (folder: string): Result =>
    resultWith((kind) => result[kind].filter(({ file }) => file.startsWith(`${folder}/`)))
  return folders
    .map((folder) => ({ folder, result: below(folder) }))
    .filter(({ result }) => countsOf(result).all > 0)
}

/**
 * @param broken test files of which no test passes without a mutant
 * @returns the exit status
 */
export function show(result: Result, broken: ReadonlySet<string>, seed: number): number {
  const { killed, survived, givenUp, unreached, untried } = result
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
  const folders = byFolder(result, FOLDERS)
  for (const one of folders) console.log(`${one.folder}: ${figuresOf(one.result)}`)
  console.log(`seed ${seed}: ${figuresOf(result)}; ${without} without a reason`)
  const isEnough = [result, ...folders.map((one) => one.result)].every(
    (one) => partOf(one) >= WANTED,
  )
  return isEnough && without === 0 && untried.length === 0 && broken.size === 0 ? 0 : 1
}
