import { reportingDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import type { OpenedVersion } from './open-version.ts'

/** Bytes of a version that was opened, `end` excluded. A damaged file alerts the administrators. */
export function streamVersion(
  system: System,
  { document, version }: OpenedVersion,
  start: number,
  end: number,
): ReadableStream<Uint8Array> {
  return reportingDamage(system, { document, version }, system.blobs.stream(version, start, end))
}
