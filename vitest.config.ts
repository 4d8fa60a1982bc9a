import { existsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Published certificates and signed files, which are beside the project on some machines and belong to
 * others.
 */
const SAMPLES = '../shared/data'
const PUBLISHED = '**/*published.test.ts'
const hasSamples = existsSync(SAMPLES)
if (!hasSamples)
  console.info(
    `${SAMPLES} is not there: the tests on published samples (${PUBLISHED}) are left out.`,
  )

/** Thousands of inputs: `npm test` runs them, `npm run check` does not. */
const EXHAUSTIVE = '**/*.exhaustive.test.ts'

/** Tests that replace a module, or test one that remembers: each of these files has modules of its own. */
const ALONE = '**/*.alone.test.ts'

const own = { exclude: [...configDefaults.exclude, PUBLISHED, ALONE] }

/** The slowest files, first to start: started last, one of them would leave all processors but one idle. */
const SLOWEST = [
  /\/killed\.test\.ts$/,
  /\/tests\/oracle\/families\.test\.ts$/,
  /\.exhaustive\.test\.ts$/,
  /\/tests\/integration\//,
]

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = SLOWEST.findIndex((pattern) => pattern.test(moduleId))
      return rank === -1 ? SLOWEST.length : rank
    }
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

/*
 * Unit tests; integration tests with the database, for which a private PostgreSQL starts once; security
 * tests; architecture.
 */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    // Files of one process share their modules: to load them anew for each takes longer than most tests.
    isolate: false,
    // They share the environment too: a variable that one test sets must not reach the tests after it.
    unstubEnvs: true,
    // Ends a test that hangs; generous for a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          exclude: [...own.exclude, EXHAUSTIVE],
        },
      },
      {
        extends: true,
        test: { name: 'exhaustive', include: [`tests/${EXHAUSTIVE}`], ...own },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          globalSetup: ['tests/support/postgres-server.ts'],
          ...own,
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: [`tests/${ALONE}`], isolate: true },
      },
      {
        extends: true,
        test: {
          name: 'architecture',
          include: ['tests/architecture.test.ts', 'tests/architecture/*.test.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'security', include: ['tests/security/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'oracle', include: ['tests/oracle/**/*.test.ts'], testTimeout: 900_000 },
      },
      ...(hasSamples
        ? [
            {
              extends: true as const,
              test: { name: 'published', include: [`tests/${PUBLISHED}`] },
            },
          ]
        : []),
    ],
  },
})
