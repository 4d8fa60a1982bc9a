import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { RESULTS } from '#tests/runner/stages.ts'
import type { Numbered } from './instrument.ts'

/** The mutants of one process, and its tests in their order. */
export type Plan = {
  mutants: readonly Numbered[]
  /** Each test file, with the numbers of the mutants that it may reach, and of those for which it may take long. */
  tests: readonly { test: string; ids: readonly number[]; slowIds: readonly number[] }[]
  /** The state file, to which each result is added. */
  state: string
  /** The file that names the mutant that is tried at the moment. */
  now: string
  /** A mutant without a reason that has survived this long is not tried any further, in ms of processor time. */
  patience: number
}

/** Where a process finds its plan. */
export const PLAN_VARIABLE = 'RUBRICA_MUTATION_PLAN'

export const placeOf = (name: string): string => path.join(RESULTS, 'mutate', name)

export function writePlan(name: string, plan: Plan): string {
  const place = placeOf(name)
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(place, JSON.stringify(plan))
  return place
}

export const readPlan = (): Plan =>
  JSON.parse(readFileSync(process.env[PLAN_VARIABLE] ?? '', 'utf8'))
