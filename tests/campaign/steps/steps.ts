import type { StartCampaign } from '#tests/campaign/campaign.ts'
import { bin, run } from '#tests/runner/stages.ts'
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
      const environment = { NODE_ENV: 'test', [CHOSEN]: chosen }
      const status = await run({ program: bin('vitest'), args: ['run', TEST], environment })
      return status === 0 ? [] : [`killed during: ${chosen}`]
    },
    end: async () => [],
    async close() {},
    figures: () => ({}),
  }
}
