import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { Sha256 } from '#server/domain/ids.ts'
import { examineFiles } from '#server/features/installation/examine-files.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/** Versions with their files; gives the digest of each. */
async function filesOf(system: TestSystem, contents: readonly string[]): Promise<string[]> {
  const author = await storedUser(system.db, await storedOffice(system.db))
  const document = aDocument(author)
  await system.db.transaction((trx) => insertDocument(trx, document))
  const digests: string[] = []
  for (const [at, content] of contents.entries()) {
    const staged = await system.blobs.stage([Buffer.from(content)], 100)
    await staged.keep()
    const sha256 = Sha256.parse(createHash('sha256').update(content).digest('hex'))
    const version = { ...aVersion(document, at + 1), sha256, bytes: content.length }
    await system.db.transaction((trx) => insertVersion(trx, version))
    digests.push(sha256)
  }
  return digests
}

onEachSystem('files of an installation', (current) => {
  const placeOf = (sha256 = '') =>
    join(current().folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256)

  test('all are held', async () => {
    await filesOf(current(), ['uno', 'dos', 'tres'])
    expect(await examineFiles(current(), true)).toEqual([
      { code: 'files-held', level: 'good', parameters: { files: 3, hashed: true } },
    ])
  })

  test('a missing one is a fault', async () => {
    const [, second] = await filesOf(current(), ['uno', 'dos', 'tres'])
    rmSync(placeOf(second))
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
    writeFileSync(placeOf(first), 'uno y medio')
    rmSync(placeOf(second))
    writeFileSync(placeOf(second), 'DOS')
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
