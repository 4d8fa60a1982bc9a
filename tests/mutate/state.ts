import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '#tests/runner/stages.ts'
import { addJsonLine, readJsonLines } from '#tests/support/json-lines.ts'

/** What is known of a mutant, or that a test file has been run to its end. */
export type Entry =
  | { kind: 'begun'; sources: string }
  /** A test noticed it, after `ms` of processor time. */
  | { kind: 'killed'; key: string; by: string; ms?: number }
  /** No test of the file saw it, or none of its quick ones; the tests took `ms` of processor time. */
  | { kind: 'survived'; key: string; file: string; ms: number; isPartial?: boolean }
  /**
   * The tests of the file have run for all mutants of these sources, except for the ones that were given up before, and
   * the ones for which they would take long: the tests reach them, too.
   */
  | {
      kind: 'done'
      file: string
      sources: readonly string[]
      givenUp: readonly string[]
      postponed?: readonly string[]
    }
  /** No test of the file passes without a mutant: nothing is known from it. */
  | { kind: 'broken'; file: string }

export const readEntries = (place: string) => readJsonLines<Entry>(place)

export const addEntry = (place: string, entry: Entry) => addJsonLine(place, entry)

export type Known = {
  killed: ReadonlyMap<string, string>
  /** The files whose tests all ran without seeing it, and the time of all tests in ms. */
  survived: ReadonlyMap<string, { files: ReadonlySet<string>; ms: number }>
}

export function knownOf(entries: readonly Entry[]): Known {
  const killed = new Map<string, string>()
  const survived = new Map<string, { files: Set<string>; ms: number }>()
  for (const entry of entries) {
    if (entry.kind === 'killed') killed.set(entry.key, entry.by)
    if (entry.kind !== 'survived') continue
    const { files, ms } = survived.get(entry.key) ?? { files: new Set<string>(), ms: 0 }
    if (!entry.isPartial) files.add(entry.file)
    survived.set(entry.key, { files, ms: ms + entry.ms })
  }
  return { killed, survived }
}

/** @returns whether all is known that the tests of a file can tell about a mutant that lives */
export function doneIn(
  entries: readonly Entry[],
): (test: string, mutant: { key: string; file: string }) => boolean {
  const { survived } = knownOf(entries)
  const done = new Set<string>()
  const left = new Set<string>()
  for (const entry of entries) {
    if (entry.kind !== 'done') continue
    for (const source of entry.sources) done.add(`${entry.file} ${source}`)
    for (const key of [...entry.givenUp, ...(entry.postponed ?? [])])
      left.add(`${entry.file} ${key}`)
  }
  return (test, { key, file }) =>
    survived.get(key)?.files.has(test) ||
    (done.has(`${test} ${file}`) && !left.has(`${test} ${key}`))
}

/** @returns whether the tests of a file were put off for a mutant, because they would take long */
export function postponedIn(
  entries: readonly Entry[],
): (test: string, mutant: { key: string }) => boolean {
  const postponed = entries.flatMap((entry) =>
    entry.kind === 'done' ? (entry.postponed ?? []).map((key) => `${entry.file} ${key}`) : [],
  )
  const all = new Set(postponed)
  return (test, { key }) => all.has(`${test} ${key}`)
}

/**
 * Prepares the state file of a run. If sources or tests have changed since, what a test noticed stays noticed, and
 * everything else is tried again.
 */
export function beginState(place: string): void {
  mkdirSync(path.dirname(place), { recursive: true })
  const entries = readEntries(place)
  const sources = digestOfSources()
  const first = entries.find((one) => one.kind === 'begun')
  if (first?.sources === sources) return
  const kept = entries.filter(({ kind }) => kind === 'killed')
  const lines = [{ kind: 'begun', sources }, ...kept].map((one) => JSON.stringify(one))
  writeFileSync(`${place}.new`, lines.join('\n'))
  renameSync(`${place}.new`, place)
}

function digestOfSources(): string {
  const hash = createHash('sha256')
  for (const file of globSync('{app,server,tests}/**/*.{ts,tsx}', { cwd: ROOT }).toSorted())
    hash.update(file).update(readFileSync(path.join(ROOT, file)))
  return hash.digest('hex')
}

export const brokenIn = (entries: readonly Entry[]): ReadonlySet<string> =>
  new Set(entries.flatMap((one) => (one.kind === 'broken' ? [one.file] : [])))
