import { expect, test } from 'vitest'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import { giveUpFile } from '#server/db/documents/unneeded-files.ts'
import { findUser } from '#server/db/people/users.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { CapacityDocumentId } from '#server/domain/ids.ts'
import { minutes } from '#server/domain/time.ts'
import {
  addCapacityDocument,
  openCapacityDocument,
  readCapacity,
} from '#server/features/users/capacity-documents.ts'
import { ChangeUser, changeUser } from '#server/features/users/change-user.ts'
import { UserFields, writtenData } from '#server/features/users/user-data.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const PDF = Buffer.from('%PDF-1.7\nun nombramiento')
const SUBSTITUTED = 'Lic. Óscar Peña, Notaría 14 de Coyoacán'
const fileName = FileName.parse('nombramiento.pdf')

onEachSystem('the capacity of a notary', (current) => {
  const anOffice = async (changes: object = {}) => {
    const { db } = current()
    const office = await storedOffice(db)
    const notary = await storedUser(db, office, ['NOTARY'], {
      ...{ capacity: 'suplente', capacityOf: SUBSTITUTED },
      ...changes,
    })
    const by = async (...roles: ('ADMIN' | 'CLERK' | 'AUDITOR')[]) =>
      asPerson(await storedUser(db, office, roles))
    return { office, notary, userId: notary.id, by }
  }

  test('names the notary that a suplente substitutes, and the log tells the change', async () => {
    const system = current()
    const { office, notary, by } = await anOffice({ capacityOf: null })
    const data = { ...writtenData(notary, office.timeZone), capacityOf: SUBSTITUTED }
    const change = ChangeUser.parse({ userId: notary.id, data })
    await changeUser(system, await by('ADMIN'), change)
    expect(await findUser(system.db, notary.id)).toMatchObject({ capacityOf: SUBSTITUTED })
    expect((await system.log()).at(-1)).toMatchObject({ details: { changed: 'capacityOf' } })
    const titular = { ...data, capacity: 'titular' }
    expect(ChangeUser.safeParse({ userId: notary.id, data: titular }).success).toBe(false)
    expect(UserFields.shape.capacityOf.safeParse('x'.repeat(201)).success).toBe(false)
  })

  test('is supported by files that stay with the capacity as it was', async () => {
    const system = current()
    const { office, notary, userId, by } = await anOffice()
    const [admin, auditor] = [await by('ADMIN'), await by('AUDITOR')]
    await addCapacityDocument(system, admin, { userId, fileName, content: [PDF] })
    // Pressed twice.
    await addCapacityDocument(system, admin, { userId, fileName, content: [PDF] })
    const data = { ...writtenData(notary, office.timeZone), capacity: 'titular', capacityOf: null }
    await changeUser(system, admin, ChangeUser.parse({ userId, data }))
    system.wait(minutes(1))
    const other = Buffer.concat([PDF, Buffer.from(' más')])
    await addCapacityDocument(system, admin, { userId, fileName, content: [other] })
    const { documents } = await readCapacity(system, auditor, { userId })
    expect(documents).toMatchObject([
      { capacity: 'titular', capacityOf: null, fileName },
      { capacity: 'suplente', capacityOf: SUBSTITUTED, fileName, addedBy: admin.userId },
    ])
    const documentId = documents[1]?.id ?? CapacityDocumentId.parse(crypto.randomUUID())
    const opened = await openCapacityDocument(system, auditor, { userId, documentId })
    const stream = system.blobs.stream(opened, 0, opened.bytes)
    expect(Buffer.from(await new Response(stream).arrayBuffer())).toEqual(PDF)
    expect((await system.log()).map(({ action }) => action)).toEqual([
      'user.capacity-document-added',
      'user.changed',
      'user.capacity-document-added',
      'user.capacity-document-downloaded',
    ])
  })

  test('keeps its file when a document with the same content is purged', async () => {
    const system = current()
    const { office, userId, by } = await anOffice()
    await addCapacityDocument(system, await by('ADMIN'), { userId, fileName, content: [PDF] })
    const { documents } = await readCapacity(system, await by('ADMIN'), { userId })
    const address = { officeId: office.id, sha256: documents[0]!.sha256 }
    await system.db.transaction((trx) => giveUpFile(trx, address, system.clock.now()))
    expect(await findStoredFile(system.db, address)).toBeDefined()
  })

  test('takes no other file, none for a person without a capacity, and no more than 50', async () => {
    const system = current()
    const { office, userId, by } = await anOffice()
    const admin = await by('ADMIN')
    const add = (content: Uint8Array, user = userId) =>
      addCapacityDocument(system, admin, { userId: user, fileName, content: [content] })
    await expect(add(Buffer.from('<html>'))).rejects.toMatchObject({ code: 'not-a-pdf' })
    const clerk = await storedUser(system.db, office, ['CLERK'])
    await expect(add(PDF, clerk.id)).rejects.toMatchObject({ code: 'capacity-missing' })
    for (let count = 0; count < 50; count++)
      await add(Buffer.concat([PDF, Buffer.from(String(count))]))
    await expect(add(PDF)).rejects.toMatchObject({ code: 'too-many-capacity-documents' })
    expect((await readCapacity(system, admin, { userId })).documents).toHaveLength(50)
  })

  test('is shown to those who see the data of users, of their office, and supported by administrators', async () => {
    const system = current()
    const { userId, by } = await anOffice()
    const [admin, auditor, clerk] = [await by('ADMIN'), await by('AUDITOR'), await by('CLERK')]
    await addCapacityDocument(system, admin, { userId, fileName, content: [PDF] })
    const [document] = (await readCapacity(system, auditor, { userId })).documents
    const documentId = document!.id
    const adding = addCapacityDocument(system, auditor, { userId, fileName, content: [PDF] })
    await expect(adding).rejects.toMatchObject({ code: 'forbidden' })
    const opening = openCapacityDocument(system, clerk, { userId, documentId })
    await expect(opening).rejects.toMatchObject({ code: 'forbidden' })
    const elsewhere = await storedOffice(system.db, { number: 77 })
    const stranger = asPerson(await storedUser(system.db, elsewhere, ['ADMIN']))
    const theirs = openCapacityDocument(system, stranger, { userId, documentId })
    await expect(theirs).rejects.toMatchObject({ code: 'not-found' })
    // A document of another person at this address.
    const swapped = { userId: admin.userId, documentId }
    await expect(openCapacityDocument(system, auditor, swapped)).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})
