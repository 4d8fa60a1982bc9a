import { expect, test } from 'vitest'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { readZip } from '#server/domain/trust/zip-archive.ts'
import { PurgeDocument, purgeDocument } from '#server/features/documents/purge-document.ts'
import { ZipDocuments, zipDocuments } from '#server/features/documents/zip-documents.ts'
import { asPerson, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { aDraft } from '#tests/support/office/signing-system.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

async function anOffice({ db }: TestSystem, number = 12) {
  const office = await storedOffice(db, { number })
  const personOf = async (role: Role): Promise<Person> =>
    asPerson(await storedUser(db, office, [role]))
  return { clerk: await personOf('CLERK'), admin: await personOf('ADMIN') }
}

const content = (word: string) => Buffer.from(`%PDF-1.7\n${word}\n%%EOF\n`)

async function filesOf(system: TestSystem, actor: Actor, documents: readonly Document[]) {
  const input = ZipDocuments.parse({ documentIds: documents.map(({ id }) => id) })
  const { bytes, stream } = await zipDocuments(system, actor, input)
  const archive = Buffer.concat(await Array.fromAsync(stream()))
  expect(archive.length).toBe(bytes)
  return await readZip(archive)
}

onEachSystem('documents in one archive', (current) => {
  test('chosen documents: each is a file with folio and title, in the order chosen, and an event', async () => {
    const system = current()
    const { clerk } = await anOffice(system)
    const power = await aDraft(system, clerk, content('uno'), 'Poder: Ñúñez/López')
    const deed = await aDraft(system, clerk, content('dos'), 'Acta')
    const before = (await system.log()).length
    const files = await filesOf(system, clerk, [deed, power])
    expect(files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      [`${deed.folio} Acta.pdf`, content('dos').toString()],
      [`${power.folio} Poder- Ñúñez-López.pdf`, content('uno').toString()],
    ])
    expect((await system.log()).slice(before)).toMatchObject(
      [deed, power].map(({ id }, place) => ({
        action: 'document.downloaded',
        subject: { kind: 'document', id },
        details: { version: 1, sha256: sha256(content(place === 0 ? 'dos' : 'uno')) },
      })),
    )
  })

  test('purged file: a text names it; alone it is gone', async () => {
    const system = current()
    const { clerk, admin } = await anOffice(system)
    const kept = await aDraft(system, clerk, content('uno'))
    const purged = await aDraft(system, clerk, content('dos'))
    const reason = 'Es de otra notaría'
    await purgeDocument(system, admin, PurgeDocument.parse({ documentId: purged.id, reason }))
    const files = await filesOf(system, clerk, [purged, kept])
    expect(files.map(({ name }) => name)).toEqual([`${kept.folio} Poder notarial.pdf`, 'LEAME.txt'])
    expect(Buffer.from(files[1]?.bytes ?? []).toString()).toContain(purged.folio)
    await expect(filesOf(system, clerk, [purged])).rejects.toMatchObject({ code: 'file-purged' })
  })

  test('documents of another office: are left out; alone they are not found, and a stranger gets nothing', async () => {
    const system = current()
    const { clerk } = await anOffice(system)
    const other = await anOffice(system, 77)
    const own = await aDraft(system, clerk, content('uno'))
    const foreign = await aDraft(system, other.clerk, content('dos'))
    expect(await filesOf(system, clerk, [foreign, own])).toHaveLength(1)
    await expect(filesOf(system, clerk, [foreign])).rejects.toMatchObject({ code: 'not-found' })
    await expect(filesOf(system, stranger(), [own])).rejects.toMatchObject({
      code: 'not-signed-in',
    })
  })

  test('documents that are too large together: none is read', async () => {
    const system = current()
    const { clerk } = await anOffice(system)
    const document = await aDraft(system, clerk, content('uno'))
    const blobs = { ...system.blobs, size: () => expect.unreachable('a file was opened') }
    const mostBytes = content('uno').length - 1
    const zip = zipDocuments({ ...system, blobs }, clerk, {
      ...{ documentIds: [document.id], mostBytes },
    })
    await expect(zip).rejects.toMatchObject({ code: 'archive-too-large' })
  })
})
