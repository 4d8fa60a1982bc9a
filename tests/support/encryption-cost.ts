import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { passChunks } from '#server/domain/bytes.ts'
import { OfficeId } from '#server/domain/ids.ts'
import { cpuTimeOf } from './cpu-time.ts'
import { testKeyParts } from './file-records.ts'

/** Most multiples of one digest of the same bytes. Appending reads and writes. */
export const COST_LIMITS = { inWorker: 2.5, copying: 2.5, writing: 6, appending: 8.5 }

type CostName = keyof typeof COST_LIMITS
export const COST_NAMES = Object.keys(COST_LIMITS) as CostName[]

const MEGABYTES = 32
const CHUNK = 64 << 10
const MOST_RUNS = 40

/**
 * What encryption costs, as multiples of one SHA-256 of the same bytes in the same run: a slow or busy machine slows
 * both. Writing includes the digest of the content and the system's work for the disk.
 *
 * @param folder for the files
 */
export async function encryptionCosts(folder: string): Promise<Record<CostName, number>> {
  const content = randomBytes(MEGABYTES << 20)
  function* chunks() {
    for (let at = 0; at < content.length; at += CHUNK) yield content.subarray(at, at + CHUNK)
  }
  const blobs = await createFileBlobs(folder, testKeyParts())
  const officeId = OfficeId.parse(randomUUID())
  const staged = await blobs.stage(chunks(), content.length)
  await staged.keep(officeId)
  const file = { officeId, sha256: staged.sha256 }
  return await ratiosOf({
    digest() {
      const hash = createHash('sha256')
      for (const chunk of chunks()) hash.update(chunk)
      return hash.digest()
    },
    inWorker: () =>
      blobs.withFile(file, (given) =>
        withReadable(given, (source) =>
          passChunks(source, { start: 0, end: source.length }, () => {}),
        ),
      ),
    async copying() {
      for await (const _ of blobs.pieces(file, 0, content.length));
    },
    async writing() {
      await (await blobs.stage(chunks(), content.length)).discard()
    },
    async appending() {
      await (await blobs.append(file, new Uint8Array(1000))).discard()
    },
  })
}

/** The shortest run of each, in turn: what disturbs the machine disturbs all. Ends early if all are within the limits. */
async function ratiosOf(works: Record<CostName | 'digest', () => unknown>) {
  const times: Record<string, number> = {}
  const ratioOf = (name: string) =>
    Math.round(((times[name] ?? 0) / (times.digest ?? 0)) * 100) / 100
  for (let run = 0; run < MOST_RUNS; run += 1) {
    for (const [name, work] of Object.entries(works))
      times[name] = Math.min(times[name] ?? Number.POSITIVE_INFINITY, await cpuTimeOf(work))
    if (run >= 5 && COST_NAMES.every((name) => ratioOf(name) <= COST_LIMITS[name])) break
  }
  return Object.fromEntries(COST_NAMES.map((name) => [name, ratioOf(name)])) as Record<
    CostName,
    number
  >
}
