import { expect, test } from 'vitest'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { Sha256 } from '#server/domain/ids.ts'
import { openSignedRevision } from '#server/features/documents/open-signed-revision.ts'
import { findByDigest } from '#server/features/verification/find-by-digest.ts'
import { stranger } from '#tests/support/builders.ts'
import { aScene, onEachSigningSystem, signAs } from '#tests/support/office/signing-system.ts'
import { bytesIn } from '#tests/support/stored-files.ts'

onEachSigningSystem('signed files', (system) => {
  const ask = (sha256: Sha256) => findByDigest(system(), stranger(), { sha256 })

  test('a digest finds the complete document, and not its draft', async () => {
    const { db } = system()
    const { document, person, efirma } = await aScene(system())
    const draft = (await findVersion(db, document.id, 1))!
    expect(await ask(draft.sha256)).toBeUndefined()
    await signAs(system(), person, efirma, document)
    const signed = (await findVersion(db, document.id, 2))!
    expect(await ask(signed.sha256)).toMatchObject({
      document: { id: document.id },
      relation: 'current',
    })
    expect(await ask(draft.sha256)).toBeUndefined()
    expect(await ask(Sha256.parse('0'.repeat(64)))).toBeUndefined()
  })

  test('throttle: endless requests are refused with a wait', async () => {
    const unknown = Sha256.parse('1'.repeat(64))
    for (let asked = 0; asked < 60; asked += 1) await ask(unknown)
    await expect(ask(unknown)).rejects.toMatchObject({ code: 'too-many-attempts' })
  })

  test('a signed revision is the file up to its end, and its download is in the log', async () => {
    const { db } = system()
    const { document, person, efirma } = await aScene(system())
    const wanted = { documentId: document.id, signature: 1 }
    const early = openSignedRevision(system(), person, wanted)
    await expect(early).rejects.toMatchObject({ code: 'not-found' })
    await signAs(system(), person, efirma, document)
    const signed = (await findDocument(db, document.id))!
    const { version, end } = await openSignedRevision(system(), person, wanted)
    expect(version.version).toBe(signed.version)
    expect(end).toBe(version.bytes)
    const file = await bytesIn(system(), version)
    expect(file.subarray(0, end).toString('latin1')).toMatch(/%%EOF\s*$/)
    const [last] = (await system().log()).slice(-1)
    expect(last).toMatchObject({
      action: 'document.downloaded',
      details: { signature: 1, bytes: end, version: 2 },
    })
    const second = openSignedRevision(system(), person, { ...wanted, signature: 2 })
    await expect(second).rejects.toMatchObject({ code: 'not-found' })
    await expect(openSignedRevision(system(), stranger(), wanted)).rejects.toMatchObject({
      code: 'not-signed-in',
    })
  })
})
