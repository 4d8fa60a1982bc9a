import { createHash } from 'node:crypto'
import { fastest } from './fastest.ts'

const BYTES = Buffer.alloc(100_000_000, 1)
/** What SHA-256 of 100 MB takes on the machine for which limits in milliseconds are written: 0.115 s of its processor. */
const EXPECTED_MS = 115

/**
 * How many times slower this machine is at present than the one for which limits in milliseconds are written, by the
 * processor time of SHA-256 of 100 MB; no less than 1.
 */
export async function timesSlower(): Promise<number> {
  const time = await fastest(() => createHash('sha256').update(BYTES).digest(), 5)
  return Math.max(1, time / EXPECTED_MS)
}
