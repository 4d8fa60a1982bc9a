import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { folderStore } from '#server/adapters/blobs/folder-store.ts'
import { twoStores } from '#server/adapters/blobs/two-stores.ts'
import { createBlobs } from '#server/adapters/blobs-files.ts'
import { OfficeId } from '#server/domain/ids.ts'
import { filesIn, longText, textOf } from '#tests/support/blob-folder.ts'
import { testFolders } from '#tests/support/each-store.ts'
import { testKeyParts } from '#tests/support/file-records.ts'

const folders = testFolders()
const officeId = OfficeId.parse(randomUUID())

test('files that move: one that is damaged in one place is read from the other, whole or as a stream', async () => {
  const [here, there] = [folders.another(), folders.another()]
  const [main, other] = [folderStore(here), folderStore(there)]
  const incoming = path.join(folders.one(), 'incoming')
  const files = twoStores(main, other)
  const blobs = await createBlobs({ incoming, files, plain: null }, testKeyParts())
  const staged = await blobs.stage([longText(200_000)], 1e9)
  await staged.keep(officeId)
  const address = { officeId, sha256: staged.sha256 }
  const [stored = ''] = filesIn(here)
  await main.withLocal(path.relative(here, stored), (local) =>
    other.copy(local, path.relative(here, stored)),
  )
  writeFileSync(stored, Buffer.alloc(200_080))
  expect(await blobs.withFile(address, textOf)).toBe(longText(200_000).toString())
  expect(await new Response(blobs.stream(address, 0, 9)).text()).toBe('escritura')
  writeFileSync(path.join(there, path.relative(here, stored)), Buffer.alloc(200_080))
  await expect(blobs.withFile(address, textOf)).rejects.toMatchObject({
    code: 'stored-file-damaged',
  })
})
