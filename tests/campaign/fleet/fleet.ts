import type { StartCampaign } from '#tests/campaign/campaign.ts'
import { bin, run } from '#tests/runner/stages.ts'
import { FLEET } from '#tests/support/processes/fleet.ts'

const TEST = 'tests/e2e/load/fleet.http.spec.ts'
const COUNT = 6
const [FEWEST, MOST] = [2, 4]

/** Machines that are killed while users sign: two, three and four of them in turn. The seed changes nothing. */
export const startFleet: StartCampaign = async () => ({
  count: COUNT,
  async tryOne(number) {
    const machines = FEWEST + (number % (MOST - FEWEST + 1))
    const environment = { NODE_ENV: 'test', [FLEET]: String(machines) }
    const status = await run({ program: bin('playwright'), args: ['test', TEST], environment })
    return status === 0 ? [] : [`${machines} machines`]
  },
  end: async () => [],
  async close() {},
  figures: () => ({}),
})
