import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { addJsonLine, readJsonLines } from '#tests/support/json-lines.ts'

/** One try, or the checks at the end of a run. */
export type Entry = {
  seed: number
  /** Null for the checks at the end. */
  number: number | null
  findings: readonly string[]
  /** How often something was met since the last entry of the run; of names with `at most`, the largest value. */
  figures: Readonly<Record<string, number>>
}

/** What is known of the tries of one seed. */
export const readProgress = (place: string, seed: number): Entry[] =>
  readJsonLines<Entry>(place).filter((entry) => entry.seed === seed)

export function addProgress(place: string, entry: Entry): void {
  mkdirSync(path.dirname(place), { recursive: true })
  addJsonLine(place, entry)
}

/** The number of the next try. */
export const nextOf = (entries: readonly Entry[]): number =>
  Math.max(-1, ...entries.map(({ number }) => number ?? -1)) + 1

export function sumOfFigures(entries: readonly Entry[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { figures } of entries)
    for (const [name, value] of Object.entries(figures))
      sums[name] = isLargest(name) ? Math.max(sums[name] ?? 0, value) : (sums[name] ?? 0) + value
  return sums
}

export function differenceOf(
  now: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): Record<string, number> {
  const changed = Object.entries(now).filter(([name, value]) => value !== (before[name] ?? 0))
  return Object.fromEntries(
    changed.map(([name, value]) => [name, isLargest(name) ? value : value - (before[name] ?? 0)]),
  )
}

const isLargest = (name: string) => name.endsWith(' at most')
