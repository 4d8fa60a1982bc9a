import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { randomFrom } from '#tests/fuzz/random.ts'
import { ROOT } from '#tests/runner/stages.ts'
import { type Mutant, mutantsOf } from './mutants.ts'

/** Folders whose mutants are all tried. */
const WHOLE = ['server/domain/policy', 'server/domain/audit', 'app/guards', 'server/steps']
/** Folders of which a sample is tried. */
const SAMPLED = ['server/domain/verification', 'app/http']

export const FOLDERS: readonly string[] = [...WHOLE, ...SAMPLED]

/** The mutants of a run, in the order of their files; the same for the same seed and sources. */
export function chosenMutants(seed: number, sampled: number): Mutant[] {
  const whole = WHOLE.flatMap(mutantsBelow)
  return [...whole, ...sample(SAMPLED.flatMap(mutantsBelow), seed, sampled)]
}

function sample(mutants: readonly Mutant[], seed: number, count: number): Mutant[] {
  const ranked = mutants.map((mutant, at) => ({
    mutant,
    at,
    rank: randomFrom(seed, at).below(2 ** 31),
  }))
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .toSorted((a, b) => a.at - b.at)
    .map(({ mutant }) => mutant)
}

function mutantsBelow(folder: string): Mutant[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .toSorted()
    .map((name) => path.posix.join(folder, name))
    .flatMap((file) => mutantsOf(file, readFileSync(path.join(ROOT, file), 'utf8')))
}
