import { expect, test } from 'vitest'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { StagedBlob } from '#server/ports/blobs.ts'
import { commitWithFiles } from '#server/steps/documents/commit-with-files.ts'
import { filesIn } from '#tests/support/blob-folder.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { bytesIn } from '#tests/support/stored-files.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('rows of files and what refers to them', (system) => {
  const staged = (text: string) => system().blobs.stage([Buffer.from(text)], 100)
  const rowOf = (officeId: OfficeId, { sha256 }: StagedBlob) =>
    findStoredFile(system().db, { officeId, sha256 })

  async function commit(officeId: OfficeId, blobs: StagedBlob[], work: () => Promise<void>) {
    try {
      const files = blobs.map((blob) => ({ blob, officeId }))
      await commitWithFiles(system().db, files, work)
    } finally {
      for (const blob of blobs) await blob.discard()
    }
  }

  test('files lie under their names before their rows come to be', async () => {
    const { id } = await storedOffice(system().db)
    const blobs = [await staged('una escritura'), await staged('otra escritura')]
    await commit(id, blobs, async () => {
      expect(filesIn(system().folder).filter((file) => file.includes('incoming'))).toEqual([])
      expect(await rowOfCommitted(id, blobs[0]!)).toBeUndefined()
    })
    for (const [index, text] of ['una escritura', 'otra escritura'].entries()) {
      const address = { officeId: id, sha256: blobs[index]!.sha256 }
      expect((await bytesIn(system(), address)).toString()).toBe(text)
    }
  })

  /** As another connection sees it, while a transaction is under way. */
  async function rowOfCommitted(officeId: OfficeId, { sha256 }: StagedBlob) {
    const snapshot = await system().db.snapshot()
    try {
      return await findStoredFile(snapshot.reader, { officeId, sha256 })
    } finally {
      await snapshot.end()
    }
  }

  test('a refusal leaves neither file nor row', async () => {
    const { id } = await storedOffice(system().db)
    const blob = await staged('una escritura')
    const refused = commit(id, [blob], async () => {
      throw new Problem('stale-version', 'it moved on')
    })
    await expect(refused).rejects.toMatchObject({ code: 'stale-version' })
    expect(await rowOf(id, blob)).toBeUndefined()
    expect(filesIn(system().folder)).toEqual([])
  })

  test.each([new Error('connection lost'), new Problem('commit-unknown', 'connection lost')])(
    'the file stays if it is not known whether the row was written: %s',
    async (loss) => {
      const { id } = await storedOffice(system().db)
      const blob = await staged('una escritura')
      const { db } = system()
      const losing = {
        ...db,
        selectFrom: db.selectFrom,
        transaction: async <T>(work: Parameters<typeof db.transaction<T>>[0]) => {
          await db.transaction(work)
          throw loss
        },
      }
      const lost = commitWithFiles(losing, [{ blob, officeId: id }], async () => {})
      await expect(lost).rejects.toThrow('connection lost')
      await blob.discard()
      const address = { officeId: id, sha256: blob.sha256 }
      expect((await bytesIn(system(), address)).toString()).toBe('una escritura')
    },
  )

  test('two that store one content at once: one file, which the row names', async () => {
    const { id } = await storedOffice(system().db)
    const blobs = await Promise.all(Array.from({ length: 6 }, () => staged('una escritura')))
    await Promise.all(blobs.map((blob) => commit(id, [blob], async () => {})))
    expect(filesIn(system().folder)).toHaveLength(1)
    const address = { officeId: id, sha256: blobs[0]!.sha256 }
    expect((await bytesIn(system(), address)).toString()).toBe('una escritura')
  })

  test('many files: each is stored once, those that the office has already not again', async () => {
    const { id } = await storedOffice(system().db)
    const texts = Array.from({ length: 20 }, (_, at) => `escritura ${at}`)
    const first = await Promise.all(texts.slice(0, 3).map(staged))
    await commit(id, first, async () => {})
    const all = await Promise.all(texts.map(staged))
    const places = all.map(() => 0)
    const counted = all.map((blob, at) => ({
      ...blob,
      place: (officeId: OfficeId) => {
        places[at] = (places[at] ?? 0) + 1
        return blob.place(officeId)
      },
    }))
    await commit(id, counted, async () => {})
    expect(places).toEqual(texts.map(() => 1))
    expect(filesIn(system().folder)).toHaveLength(texts.length)
    for (const [at, text] of texts.entries()) {
      const address = { officeId: id, sha256: all[at]!.sha256 }
      expect((await bytesIn(system(), address)).toString()).toBe(text)
    }
  })

  test('a file that cannot be placed: the others are taken back', async () => {
    const { id } = await storedOffice(system().db)
    const good = await staged('una escritura')
    const bad = { ...(await staged('otra')), place: () => Promise.reject(new Error('no room')) }
    await expect(commit(id, [good, bad], async () => {})).rejects.toThrow('no room')
    expect(await rowOf(id, good)).toBeUndefined()
    expect(filesIn(system().folder)).toEqual([])
  })
})
