import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROOT } from '#tests/runner/stages.ts'
import { instrumentedFile, type Numbered } from './instrument.ts'
import { readPlan } from './plan.ts'

/* Runs the tests of one plan over sources that hold all its mutants; see runner.ts. */

const plan = readPlan()

function mutations(): Plugin {
  const ofFile = Map.groupBy(plan.mutants, ({ file }) => path.join(ROOT, file))
  return {
    name: 'mutations',
    enforce: 'pre',
    // Vitest keeps modules on disk by their source: it would give an earlier plan's.
    configureVitest: ({ defineCacheKeyGenerator }) =>
      defineCacheKeyGenerator(({ id }) => (ofFile.has(id) ? false : undefined)),
    load(id) {
      const mutants: Numbered[] | undefined = ofFile.get(id)
      return mutants && instrumentedFile(id, readFileSync(id, 'utf8'), mutants)
    },
  }
}

/** In the order of the plan. */
class Planned extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = new Map(plan.tests.map(({ test }, at) => [path.join(ROOT, test), at]))
    const rankOf = ({ moduleId }: TestSpecification) => rank.get(moduleId) ?? 0
    return files.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

export default defineConfig({
  root: ROOT,
  plugins: [mutations()],
  test: {
    include: plan.tests.map(({ test }) => test),
    runner: path.join(import.meta.dirname, 'runner.ts'),
    reporters: [{}],
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    // A mutant that waits for ever is found; no test of these suites takes as long without.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    dangerouslyIgnoreUnhandledErrors: true,
    sequence: { sequencer: Planned },
  },
})
