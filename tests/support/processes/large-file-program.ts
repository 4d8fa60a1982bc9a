import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { S3Place } from '#server/adapters/blobs/s3-objects.ts'
import { OfficeId } from '#server/domain/ids.ts'
import { machineWith } from '#tests/support/each-store.ts'
import { testFileRecords } from '#tests/support/file-records.ts'

/** What the program tells: how many MiB the process grew at most while it did each thing. */
export type Growth = { written: number; read: number; fetched: number }

export type LargeFileOrder = { place: S3Place; folder: string; bytes: number }

const MIB = 1024 ** 2
const officeId = OfficeId.parse(randomUUID())

/** Stores a large file in S3, reads it by ranges, and fetches it whole; a process of its own, so that only its memory is measured. */
process.once('message', async ({ place, folder, bytes }: LargeFileOrder) => {
  const records = testFileRecords()
  const writer = await machineWith(place, join(folder, 'writer'), records, 2 * bytes)
  const reader = await machineWith(place, join(folder, 'reader'), records, 2 * bytes)
  const address = { officeId, sha256: await kept(4 * MIB) }
  // What the first use loads is no growth.
  await readWhole(address)
  const large = { officeId, sha256: '' as typeof address.sha256 }
  const growth: Growth = {
    written: await growthOf(async () => {
      large.sha256 = await kept(bytes)
    }),
    read: await growthOf(() => readWhole(large)),
    fetched: await growthOf(() => reader.blobs.withFile(large, async () => {})),
  }
  rmSync(folder, { recursive: true, force: true })
  process.send?.(growth)
  process.disconnect()

  async function kept(length: number) {
    const staged = await writer.blobs.stage(pieces(length), 2 * length)
    await staged.keep(officeId)
    return staged.sha256
  }

  async function readWhole(file: typeof address): Promise<void> {
    const length = await reader.blobs.size(file)
    for await (const _ of reader.blobs.stream(file, 0, length));
  }
})

function* pieces(length: number): Generator<Uint8Array> {
  const piece = new Uint8Array(64 * 1024).fill(7)
  for (let at = 0; at < length; at += piece.length) yield piece.subarray(0, length - at)
}

/** In MiB. */
async function growthOf(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss()
  let most = before
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  await work().finally(() => clearInterval(watching))
  return (most - before) / MIB
}
