import { existsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'

/** Published certificates and signed files, which lie beside the project on some machines and belong to others. */
const SAMPLES = '../shared/data'
const PUBLISHED = '**/*published.test.ts'
const hasSamples = existsSync(SAMPLES)
if (!hasSamples)
  console.info(
    `${SAMPLES} is not there: the tests on published samples (${PUBLISHED}) are left out.`,
  )

const own = { exclude: [...configDefaults.exclude, PUBLISHED] }

/* Values in, values out; then the database, for which a private PostgreSQL is started once. */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], ...own },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          globalSetup: ['tests/support/postgres-server.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          ...own,
        },
      },
      {
        extends: true,
        test: { name: 'architecture', include: ['tests/architecture.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'security', include: ['tests/security/**/*.test.ts'], testTimeout: 60_000 },
      },
      ...(hasSamples
        ? [
            {
              extends: true as const,
              test: {
                name: 'published',
                include: [`tests/${PUBLISHED}`],
                testTimeout: 60_000,
              },
            },
          ]
        : []),
    ],
  },
})
