import { expect, test } from 'vitest'
import { blobFolder } from '#tests/support/blob-folder.ts'
import { COST_LIMITS, COST_NAMES, encryptionCosts } from '#tests/support/encryption-cost.ts'

const folder = blobFolder()

test('stored files cost little more than their digest and their cipher', async () => {
  const costs = await encryptionCosts(folder.path(), 'primitives')
  console.info('multiples of one SHA-256 and one ChaCha20-Poly1305:', costs)
  for (const name of COST_NAMES)
    expect([name, costs[name] <= COST_LIMITS.primitives[name]]).toEqual([name, true])
})
