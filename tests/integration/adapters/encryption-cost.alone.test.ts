import { expect, test } from 'vitest'
import { blobFolder } from '#tests/support/blob-folder.ts'
import { COST_LIMITS, COST_NAMES, encryptionCosts } from '#tests/support/encryption-cost.ts'

const folder = blobFolder()

test('reading costs at most 2.5 digests, writing at most 6, appending both', async () => {
  const costs = await encryptionCosts(folder.path())
  console.info('multiples of one SHA-256:', costs)
  for (const name of COST_NAMES)
    expect([name, costs[name] <= COST_LIMITS[name]]).toEqual([name, true])
})
