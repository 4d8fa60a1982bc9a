import { memorySource } from '#server/domain/bytes.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'

/** The verdict on the file with one byte changed. */
export function judgedWithFlip(
  file: Uint8Array,
  { at, mask }: { at: number; mask: number },
  policy: VerificationPolicy,
): VerificationReport {
  const copy = file.slice()
  copy[at]! ^= mask
  return verifyFile(memorySource(copy), '', policy)
}

/** Another bit for each byte, so that in a few bytes each bit has had its turn. */
export const maskFor = (at: number) => 1 << ((at * 5) % 8)

export function* range(start: number, end: number, step = 1): Generator<number> {
  for (let at = start; at < end; at += step) yield at
}
