import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Why a change that no test notices is no gap in the tests: by the key of the mutant. */
export type Reasons = Readonly<Record<string, string>>

const PLACE = path.join(import.meta.dirname, 'survivors.json')

export const readReasons = (): Reasons => JSON.parse(readFileSync(PLACE, 'utf8'))

/** A mutant with a reason is tried for a fifth of the time: most probably no test notices it this time either. */
const EXPLAINED = 1 / 5

/** How long tests may see a mutant without failing before it is given up, in ms of processor time. */
export const patienceWith =
  (reasons: Reasons, patience: number) =>
  (key: string): number =>
    reasons[key] === undefined ? patience : patience * EXPLAINED
