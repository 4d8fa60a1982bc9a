import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { encryptStoredFiles } from '#server/features/installation/encrypt-stored-files.ts'
import { examineFiles } from '#server/features/installation/examine-files.ts'
import { filesIn } from '#tests/support/blob-folder.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { bytesIn } from '#tests/support/stored-files.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const shelfOf = ({ folder }: TestSystem, { digest }: { digest: string }) =>
  join(folder, digest.slice(0, 2), digest.slice(2, 4))

/** As an earlier release stored it. */
function placePlain(system: TestSystem, content: string): string {
  const digest = sha256(content)
  const shelf = shelfOf(system, { digest })
  mkdirSync(shelf, { recursive: true })
  writeFileSync(join(shelf, digest), content)
  return join(shelf, digest)
}

let offices = 500

/** A document of an office of its own whose versions have these contents. */
async function versionsWith(
  { db }: TestSystem,
  contents: readonly string[],
): Promise<DocumentVersion[]> {
  offices += 1
  const author = await storedUser(db, await storedOffice(db, { number: offices }))
  const document = aDocument(author)
  const versions = contents.map((content, index) => ({
    ...aVersion(document, index + 1),
    sha256: sha256(content),
    bytes: Buffer.byteLength(content),
  }))
  await db.transaction(async (trx) => {
    await insertDocument(trx, document)
    for (const version of versions) await insertVersion(trx, version)
  })
  return versions
}

/** Top-level folders of the store that are not those of offices. */
const plainShelves = ({ folder }: TestSystem) =>
  readdirSync(folder).filter((name) => /^..$/.test(name))

onEachSystem('files of an earlier release', (system) => {
  test('are encrypted for each office that has them, and nothing readable stays', async () => {
    const contents = ['escritura uno', 'escritura dos', 'escritura tres']
    for (const content of contents) placePlain(system(), content)
    const versions = [
      ...(await versionsWith(system(), contents)),
      ...(await versionsWith(system(), contents.slice(1))),
    ]
    expect(await encryptStoredFiles(system())).toEqual({ encrypted: 3, ownerless: 0 })
    expect(await encryptStoredFiles(system())).toEqual({ encrypted: 0, ownerless: 0 })
    expect(plainShelves(system())).toEqual([])
    const files = filesIn(system().folder)
    expect(files).toHaveLength(5)
    for (const file of files) expect(readFileSync(file).includes('escritura')).toBe(false)
    for (const version of versions)
      expect(sha256(await bytesIn(system(), version))).toBe(version.sha256)
    const found = await examineFiles(system(), true)
    expect(found).toMatchObject([{ code: 'files-held', parameters: { files: 5 } }])
  })

  test('a run that broke off between the row and the removal is finished by the next', async () => {
    const path = placePlain(system(), 'escritura')
    const [version] = await versionsWith(system(), ['escritura'])
    await system().blobs.plain.encrypt(version!)
    const before = filesIn(system().folder)
    expect(await encryptStoredFiles(system())).toEqual({ encrypted: 1, ownerless: 0 })
    expect(filesIn(system().folder)).toEqual(before.filter((file) => file !== path))
    expect((await bytesIn(system(), version!)).toString()).toBe('escritura')
  })

  test('two processes at once encrypt each file once', async () => {
    const contents = Array.from({ length: 20 }, (_, index) => `escritura ${index}`)
    for (const content of contents) placePlain(system(), content)
    const versions = await versionsWith(system(), contents)
    await Promise.all([encryptStoredFiles(system()), encryptStoredFiles(system())])
    expect(filesIn(system().folder)).toHaveLength(20)
    for (const version of versions)
      expect(sha256(await bytesIn(system(), version))).toBe(version.sha256)
  })

  test('one that changed keeps its bytes and is still found to be damaged', async () => {
    const path = placePlain(system(), 'escritura')
    writeFileSync(path, 'ESCRITURA')
    const [version] = await versionsWith(system(), ['escritura'])
    expect(await examineFiles(system(), true)).toMatchObject([
      { code: 'files-damaged' },
      { code: 'files-plain', level: 'warning', parameters: { files: 1 } },
    ])
    await encryptStoredFiles(system())
    expect((await bytesIn(system(), version!)).toString()).toBe('ESCRITURA')
    expect(await examineFiles(system(), true)).toMatchObject([{ code: 'files-damaged' }])
  })

  test('one that no document has stays, and keeps no other back', async () => {
    const orphan = placePlain(system(), 'escritura ajena')
    placePlain(system(), 'escritura propia')
    await versionsWith(system(), ['escritura propia'])
    const all = { encrypted: 1, ownerless: 1 }
    expect(await encryptStoredFiles(system())).toEqual(all)
    expect(readFileSync(orphan, 'utf8')).toBe('escritura ajena')
    rmSync(orphan)
  })

  test('a server that stops ends the run after the current file', async () => {
    placePlain(system(), 'escritura')
    await versionsWith(system(), ['escritura'])
    const stopped = await encryptStoredFiles(system(), AbortSignal.abort())
    expect(stopped).toEqual({ encrypted: 0, ownerless: 0 })
  })
})
