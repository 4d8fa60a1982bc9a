import { createHash } from 'node:crypto'
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { Sha256 } from '#server/domain/ids.ts'
import { examineFiles } from '#server/features/installation/examine-files.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { storedPath } from '#tests/support/stored-files.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/** Versions with their files; gives where each lies. */
async function filesOf(system: TestSystem, contents: readonly string[]): Promise<string[]> {
  const author = await storedUser(system.db, await storedOffice(system.db))
  const document = aDocument(author)
  await system.db.transaction((trx) => insertDocument(trx, document))
  const paths: string[] = []
  for (const [at, content] of contents.entries()) {
    const staged = await system.blobs.stage([Buffer.from(content)], 100)
    await staged.keep(document.officeId)
    const sha256 = Sha256.parse(createHash('sha256').update(content).digest('hex'))
    const version = { ...aVersion(document, at + 1), sha256, bytes: content.length }
    await system.db.transaction((trx) => insertVersion(trx, version))
    paths.push(await storedPath(system, version))
  }
  return paths
}

onEachSystem('files of an installation', (current) => {
  test('all are held', async () => {
    await filesOf(current(), ['uno', 'dos', 'tres'])
    expect(await examineFiles(current(), true)).toEqual([
      { code: 'files-held', level: 'good', parameters: { files: 3, hashed: true } },
    ])
  })

  test('a missing one is a fault', async () => {
    const [, second] = await filesOf(current(), ['uno', 'dos', 'tres'])
    rmSync(second!)
    expect(await examineFiles(current(), false)).toEqual([
      {
        code: 'files-missing',
        level: 'fault',
        parameters: { files: 1, first: expect.stringMatching(/, 2$/) },
      },
    ])
  })

  test('one of another length is a fault, and one of other bytes where each is read', async () => {
    const [first, second] = await filesOf(current(), ['uno', 'dos'])
    truncateSync(first!, 20)
    const bytes = readFileSync(second!)
    writeFileSync(second!, bytes.with(20, bytes[20]! ^ 1))
    const damaged = async (isHashed: boolean) =>
      (await examineFiles(current(), isHashed)).map(({ code, parameters }) => [code, parameters])
    expect(await damaged(false)).toEqual([
      ['files-damaged', { files: 1, first: expect.stringMatching(/, 1$/) }],
    ])
    expect(await damaged(true)).toEqual([
      ['files-damaged', { files: 2, first: expect.stringMatching(/, 1$/) }],
    ])
  })
})
