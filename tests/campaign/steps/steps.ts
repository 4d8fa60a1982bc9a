import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import type { StartCampaign } from '#tests/campaign/campaign.ts'
import { bin, ROOT } from '#tests/runner/stages.ts'
import { ACTS, CHOSEN, DIALECTS, named } from '#tests/support/processes/killed-acts.ts'

const TEST = 'tests/integration/features/signatures/killed.test.ts'

/** Every act on every database, each of which is killed at every step. The seed changes nothing. */
export const startSteps: StartCampaign = async () => {
  const tries = DIALECTS.flatMap((dialect) => ACTS.map((act) => named(dialect, act)))
  return {
    count: tries.length,
    async tryOne(number) {
      const chosen = tries[number]
      if (!chosen) return [`there are ${tries.length} acts`]
      const child = spawn(bin('vitest'), ['run', TEST], {
        cwd: ROOT,
        env: { ...process.env, NODE_ENV: 'test', [CHOSEN]: chosen },
        stdio: 'inherit',
      })
      const [status] = await once(child, 'exit')
      return status === 0 ? [] : [`killed during: ${chosen}`]
    },
    end: async () => [],
    async close() {},
    figures: () => ({}),
  }
}
