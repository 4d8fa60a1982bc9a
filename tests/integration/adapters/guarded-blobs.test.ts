import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { guardedBlobs } from '#server/adapters/guarded-blobs.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { OfficeId } from '#server/domain/ids.ts'
import type { Blobs } from '#server/ports/blobs.ts'
import { testKeyParts } from '#tests/support/file-records.ts'

const MEGABYTE = 1024 ** 2
const bytes = new TextEncoder().encode('una escritura')
const officeId = OfficeId.parse(randomUUID())
const name = { officeId, sha256: sha256(bytes) }
let folder = ''
let parts = testKeyParts()
beforeEach(() => {
  parts = testKeyParts()
  folder = mkdtempSync(join(tmpdir(), 'rubrica-guarded-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const left = () =>
  readdirSync(join(folder, 'incoming'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )

/** On a disk of 100 MB with so much room. */
async function blobsWith(free: () => number): Promise<Blobs> {
  const space = async () => ({ free: free(), total: 100 * MEGABYTE })
  return guardedBlobs(await createFileBlobs(folder, parts), { space })
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'written',
    (error: { code: string }) => error.code,
  )

test.each([
  [11, { strangers: 'written', uploads: 'written', signatures: 'written' }],
  [9, { strangers: 'verification-busy', uploads: 'written', signatures: 'written' }],
  [4, { strangers: 'verification-busy', uploads: 'disk-full', signatures: 'written' }],
  [0, { strangers: 'verification-busy', uploads: 'disk-full', signatures: 'disk-full' }],
])('%i MB free: %j', async (megabytes, expected) => {
  await (await (await createFileBlobs(folder, parts)).stage([bytes], 100)).keep(officeId)
  const blobs = await blobsWith(() => megabytes * MEGABYTE)
  expect({
    strangers: await codeOf(blobs.stage([bytes], 100, { isPublic: true })),
    uploads: await codeOf(blobs.stage([bytes], 100)),
    signatures: await codeOf(blobs.append(name, bytes)),
  }).toEqual(expected)
  expect(await new Response(blobs.stream(name, 0, 3)).text()).toBe('una')
})

test.each([
  ['of a stranger', { isPublic: true }, 'verification-busy'],
  ['of an upload', {}, 'disk-full'],
])('the file %s is refused while it is written, when the room ends', async (_, options, code) => {
  let free = 20 * MEGABYTE
  const blobs = await blobsWith(() => free)
  function* growing() {
    for (let count = 0; count < 50; count += 1) {
      free -= MEGABYTE
      yield new Uint8Array(MEGABYTE)
    }
  }
  expect(await codeOf(blobs.stage(growing(), 200 * MEGABYTE, options))).toBe(code)
  expect(free).toBeGreaterThan(-5 * MEGABYTE)
  expect(left()).toEqual([])
})

test.each(['ENOSPC', 'EDQUOT'])('%s is a refusal, and any other error a failure', async (code) => {
  const files = await createFileBlobs(folder, parts)
  const failing = (error: Error): Blobs => ({
    ...files,
    stage: () => Promise.reject(error),
    append: () => Promise.reject(error),
  })
  const space = async () => ({ free: 90 * MEGABYTE, total: 100 * MEGABYTE })
  const full = guardedBlobs(failing(Object.assign(new Error('full'), { code })), { space })
  expect(await codeOf(full.stage([bytes], 100, { isPublic: true }))).toBe('verification-busy')
  expect(await codeOf(full.stage([bytes], 100))).toBe('disk-full')
  expect(await codeOf(full.append(name, bytes))).toBe('disk-full')
  const broken = guardedBlobs(failing(Object.assign(new Error('broken'), { code: 'EIO' })), {
    space,
  })
  expect(await codeOf(broken.stage([bytes], 100))).toBe('EIO')
})
