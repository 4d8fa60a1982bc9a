import { createCipheriv, createHash, randomBytes, randomUUID } from 'node:crypto'
import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { passChunks } from '#server/domain/bytes.ts'
import { OfficeId } from '#server/domain/ids.ts'
import { cpuTimeOf } from './cpu-time.ts'
import { testKeyParts } from './file-records.ts'

/** Most multiples of the floor. Appending reads and writes. */
export const COST_LIMITS = {
  /** One SHA-256 of the same bytes: what a user waits for anyway. Depends on the instructions of the processor. */
  digest: { inWorker: 2.5, copying: 2.5, writing: 6, appending: 8.5 },
  /** One SHA-256 and one bare ChaCha20-Poly1305 of the same bytes: what is above it is our own work, on any processor. */
  primitives: { inWorker: 1.3, copying: 1.3, writing: 2.8, appending: 4 },
}

export type CostFloor = keyof typeof COST_LIMITS
type CostName = keyof typeof COST_LIMITS.digest
export const COST_NAMES = Object.keys(COST_LIMITS.digest) as CostName[]

const MEGABYTES = 32
const CHUNK = 64 << 10
const MOST_RUNS = 40

/**
 * What encryption costs, as multiples of the floor in the same run: a slow or busy machine slows both. Writing
 * includes the digest of the content and the system's work for the disk.
 *
 * @param folder for the files
 */
export async function encryptionCosts(
  folder: string,
  floor: CostFloor,
): Promise<Record<CostName, number>> {
  const content = randomBytes(MEGABYTES << 20)
  function* chunks() {
    for (let at = 0; at < content.length; at += CHUNK) yield content.subarray(at, at + CHUNK)
  }
  const blobs = await createFileBlobs(folder, testKeyParts())
  const officeId = OfficeId.parse(randomUUID())
  const staged = await blobs.stage(chunks(), content.length)
  await staged.keep(officeId)
  const file = { officeId, sha256: staged.sha256 }
  const digest = () => {
    const hash = createHash('sha256')
    for (const chunk of chunks()) hash.update(chunk)
    hash.digest()
  }
  const cipher = () => {
    for (const chunk of chunks()) {
      const key = new Uint8Array(32)
      const once = createCipheriv('chacha20-poly1305', key, key.subarray(0, 12), {
        authTagLength: 16,
      })
      once.update(chunk)
      once.final()
    }
  }
  const floors = {
    digest,
    primitives() {
      digest()
      cipher()
    },
  }
  return await ratiosOf(COST_LIMITS[floor], {
    floor: floors[floor],
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
async function ratiosOf(
  limits: Record<CostName, number>,
  works: Record<CostName | 'floor', () => unknown>,
) {
  const times: Record<string, number> = {}
  const ratioOf = (name: string) =>
    Math.round(((times[name] ?? 0) / (times.floor ?? 0)) * 100) / 100
  for (let run = 0; run < MOST_RUNS; run += 1) {
    for (const [name, work] of Object.entries(works))
      times[name] = Math.min(times[name] ?? Number.POSITIVE_INFINITY, await cpuTimeOf(work))
    if (run >= 5 && COST_NAMES.every((name) => ratioOf(name) <= limits[name])) break
  }
  return Object.fromEntries(COST_NAMES.map((name) => [name, ratioOf(name)])) as Record<
    CostName,
    number
  >
}
