import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guardedBlobs } from '#server/adapters/guarded-blobs.ts'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { UploadDocument, uploadDocument } from '#server/features/documents/upload-document.ts'
import type { Blobs } from '#server/ports/blobs.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/* The same on a real disk: tests/e2e/load/full-disk.http.spec.ts, where one can be mounted. */

const PDF = new TextEncoder().encode('%PDF-1.7\nuna escritura\n%%EOF\n')
const noSpace = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
const space = async () => ({ free: 2 ** 40, total: 2 ** 40 })

/** A disk that has room until the file is to be written, or until it is to get its name. */
const fullAt = (blobs: Blobs, step: 'stage' | 'keep'): Blobs => ({
  ...blobs,
  async stage(...asked) {
    if (step === 'stage') throw noSpace()
    const staged = await blobs.stage(...asked)
    return { ...staged, keep: () => Promise.reject(noSpace()) }
  },
})

const upload = (system: TestSystem, actor: Parameters<typeof uploadDocument>[1]) =>
  uploadDocument(system, actor, {
    ...UploadDocument.parse({ title: 'Poder', kind: 'act', fileName: 'poder.pdf' }),
    content: [PDF],
  })

onEachSystem('full disk', (current) => {
  test.each(['stage', 'keep'] as const)(
    'upload: refused as a whole when the disk is full at %s',
    async (step) => {
      const system = current()
      const clerk = asPerson(await storedUser(system.db, await storedOffice(system.db), ['CLERK']))
      const full = { ...system, blobs: guardedBlobs(fullAt(system.blobs, step), { space }) }
      await expect(upload(full, clerk)).rejects.toMatchObject({ code: 'disk-full' })
      expect(await system.log()).toEqual([])
      expect(readdirSync(`${system.folder}/incoming`)).toEqual([])

      // Nothing of the refused one is in the way when there is room again.
      const { id } = await upload(system, clerk)
      expect(await listVersions(system.db, id)).toMatchObject([{ sha256: sha256(PDF) }])
    },
  )
})
