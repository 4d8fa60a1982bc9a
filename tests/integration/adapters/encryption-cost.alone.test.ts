import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { passChunks } from '#server/domain/bytes.ts'
import { OfficeId } from '#server/domain/ids.ts'
import { blobFolder } from '#tests/support/blob-folder.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import { testKeyParts } from '#tests/support/file-records.ts'

/*
 * What encryption costs, as a multiple of one SHA-256 of the same bytes in the same run: a slow or busy machine
 * slows both. Writing includes the digest of the content and the system's work for the disk.
 */

const MEGABYTES = 32
const CHUNK = 64 << 10
const MOST_RUNS = 40
const content = randomBytes(MEGABYTES << 20)
const officeId = OfficeId.parse(randomUUID())
const folder = blobFolder()

function* chunks() {
  for (let at = 0; at < content.length; at += CHUNK) yield content.subarray(at, at + CHUNK)
}

/** Most multiples of one digest. */
const LIMITS = { inWorker: 2.5, copying: 2.5, writing: 6, appending: 8.5 }

type Name = keyof typeof LIMITS
const NAMES = Object.keys(LIMITS) as Name[]

/**
 * The shortest run of each, in turn: what disturbs the machine disturbs all. Ends early if all are within the limits.
 *
 * @returns multiples of one digest
 */
async function ratiosOf(works: Record<Name | 'digest', () => unknown>) {
  const times: Record<string, number> = {}
  const ratioOf = (name: string) =>
    Math.round(((times[name] ?? 0) / (times.digest ?? 0)) * 100) / 100
  for (let run = 0; run < MOST_RUNS; run += 1) {
    for (const [name, work] of Object.entries(works))
      times[name] = Math.min(times[name] ?? Number.POSITIVE_INFINITY, await cpuTimeOf(work))
    if (run >= 5 && NAMES.every((name) => ratioOf(name) <= LIMITS[name])) break
  }
  return Object.fromEntries(NAMES.map((name) => [name, ratioOf(name)])) as Record<Name, number>
}

test('reading costs at most 2.5 digests, writing at most 6, appending both', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  const staged = await blobs.stage(chunks(), content.length)
  await staged.keep(officeId)
  const file = { officeId, sha256: staged.sha256 }
  const ratios = await ratiosOf({
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
  console.info('multiples of one SHA-256:', ratios)
  for (const name of NAMES) expect([name, ratios[name] <= LIMITS[name]]).toEqual([name, true])
})
