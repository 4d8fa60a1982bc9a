import { COST_LIMITS, COST_NAMES, encryptionCosts } from '#tests/support/encryption-cost.ts'
import type { Figure } from './figures.ts'

const TITLES = {
  inWorker: 'reading a stored file in a worker',
  copying: 'reading it piece by piece',
  writing: 'writing it, with its digest',
  appending: 'writing it anew with an increment',
}

/** Encrypted files: processor time as a multiple of one SHA-256 of the same bytes. */
export async function measureStoring(folder: string): Promise<Figure[]> {
  const costs = await encryptionCosts(folder, 'digest')
  return COST_NAMES.map((name) => ({
    section: 'Encrypted files (1 × is one SHA-256 of the same bytes)',
    name: TITLES[name],
    value: costs[name],
    unit: '×',
    atMost: COST_LIMITS.digest[name],
  }))
}
