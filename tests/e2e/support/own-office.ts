import { type DemoServer, startDemoServer } from '#tests/support/processes/demo-server.ts'
import { test as base } from './fixtures.ts'

/**
 * A demo office for the tests of the file that calls it, which may change office-wide settings. They run one after
 * the other: a second worker would start a second office.
 */
export function withOwnOffice() {
  base.describe.configure({ mode: 'default' })
  return base.extend<object, { office: DemoServer }>({
    office: [
      async ({}, use) => {
        const office = await startDemoServer()
        await use(office)
        await office.stop()
      },
      { scope: 'worker', timeout: 120_000 },
    ],
    demo: async ({ office }, use) => {
      await use({ ...office.demo, dataFolder: office.dataFolder })
    },
  })
}
