import { expect, test } from 'vitest'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { deleteOfficeKey, listOfficeKeys } from '#server/db/documents/office-keys.ts'
import {
  fileRecordsIn,
  findStoredFile,
  replaceStoredFile,
} from '#server/db/documents/stored-files.ts'
import type { FileAddress } from '#server/domain/documents/stored-file.ts'
import { filesIn } from '#tests/support/blob-folder.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { bytesIn } from '#tests/support/stored-files.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const content = Buffer.from('una escritura')

/** The store of another machine with the same database and folder. */
const anotherStore = ({ db, vault, clock, folder }: TestSystem) =>
  createFileBlobs(folder, { records: fileRecordsIn(db), vault, clock })

async function kept(
  { blobs }: Pick<TestSystem, 'blobs'>,
  { id: officeId }: { id: FileAddress['officeId'] },
  bytes = content,
): Promise<FileAddress> {
  const staged = await blobs.stage([bytes], 100)
  await staged.keep(officeId)
  await staged.discard()
  return { officeId, sha256: staged.sha256 }
}

onEachSystem('rows of stored files', (system) => {
  test('two machines that store one content at once: one row, one file, one key', async () => {
    const office = await storedOffice(system().db)
    const machines = [system().blobs, await anotherStore(system())]
    const storing = Array.from({ length: 10 }, (_, index) =>
      kept({ blobs: machines[index % 2]! }, office),
    )
    const [address] = await Promise.all(storing)
    expect(filesIn(system().folder)).toHaveLength(1)
    expect(await listOfficeKeys(system().db, office.id)).toHaveLength(1)
    for (const blobs of machines) expect(await bytesIn({ blobs }, address!)).toEqual(content)
  })

  test('a key that is moved to the row of another file opens nothing', async () => {
    const { db } = system()
    const office = await storedOffice(db)
    const first = await kept(system(), office)
    const second = await kept(system(), office, Buffer.from('otra escritura'))
    const [one, other] = [await findStoredFile(db, first), await findStoredFile(db, second)]
    const moved = { ...other!, storedAt: one!.storedAt, file: 'elsewhere' }
    await db.transaction((trx) => replaceStoredFile(trx, other!, moved))
    await db.transaction((trx) =>
      replaceStoredFile(trx, one!, { ...other!, storedAt: one!.storedAt }),
    )
    const reading = bytesIn(system(), first)
    await expect(reading).rejects.toMatchObject({ code: 'stored-file-damaged' })
  })

  test('the key of an office is not deleted while a file needs it', async () => {
    const { db } = system()
    const office = await storedOffice(db)
    await kept(system(), office)
    const [key] = await listOfficeKeys(db, office.id)
    expect(await db.transaction((trx) => deleteOfficeKey(trx, key!.id))).toBe(false)
  })

  test('without the key of the vault no file opens, and the reason is told', async () => {
    const office = await storedOffice(system().db)
    const address = await kept(system(), office)
    system().sealingKeys.add()
    system().sealingKeys.lose(1)
    const blobs = await anotherStore(system())
    await expect(bytesIn({ blobs }, address)).rejects.toMatchObject({ code: 'secret-unreadable' })
  })
})
