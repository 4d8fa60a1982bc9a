import { reportDamage, reportingDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import type { OpenedVersion } from './open-version.ts'

/**
 * Bytes of a version that was opened, `end` excluded. A damaged file alerts the administrators.
 *
 * @throws {Problem} `stored-file-damaged` before the answer begins; damage further on can only break it off
 */
export async function streamVersion(
  system: System,
  { document, version }: OpenedVersion,
  start: number,
  end: number,
): Promise<ReadableStream<Uint8Array>> {
  const { blobs } = system
  const stored = { document, version }
  const first = Math.min(start + 1, end)
  await reportDamage(system, stored, readThrough(blobs.pieces(version, start, first)))
  return reportingDamage(system, stored, blobs.stream(version, start, end))
}

async function readThrough(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of pieces);
}
