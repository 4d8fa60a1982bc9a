import { expect, test } from 'vitest'
import { findDocument, insertDocument, replaceDocument } from '#server/db/documents/documents.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { hours } from '#server/domain/time.ts'
import { CancelDocument, cancelDocument } from '#server/features/documents/cancel-document.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aDraft } from '#tests/support/office/signing-system.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

async function aDraftOf(system: TestSystem, role: Role) {
  const user = await storedUser(system.db, await storedOffice(system.db), [role])
  const document = aDocument(user)
  await system.db.transaction((trx) => insertDocument(trx, document))
  return { document, person: asPerson(user) }
}

const cancel = (
  system: TestSystem,
  actor: Actor,
  documentId: string,
  reason = 'Se subió dos veces',
) => cancelDocument(system, actor, CancelDocument.parse({ documentId, reason }))

onEachSystem('cancelling a draft', (current) => {
  test('is given up once, with a reason that the log keeps', async () => {
    const system = current()
    const { document, person } = await aDraftOf(system, 'NOTARY')
    await cancel(system, person, document.id)
    expect(await findDocument(system.db, document.id)).toMatchObject({ state: 'cancelled' })
    const recorded = (await system.log()).at(-1)
    expect(recorded).toMatchObject({
      action: 'document.cancelled',
      details: { reason: 'Se subió dos veces' },
    })
    await expect(cancel(system, person, document.id)).rejects.toMatchObject({ code: 'wrong-state' })
  })

  test('cancelled document: its page has the reason, whatever happened to it later', async () => {
    const system = current()
    const person = asPerson(await storedUser(system.db, await storedOffice(system.db), ['NOTARY']))
    const document = await aDraft(system, person, Buffer.from('%PDF-1.7'), 'Acta')
    system.wait(hours(1))
    await cancel(system, person, document.id)
    system.wait(hours(1))
    await readDocument(system, person, { documentId: document.id })
    const { cancelled } = await readDocument(system, person, { documentId: document.id })
    expect(cancelled).toMatchObject({ reason: 'Se subió dos veces', by: fullName(person) })
  })

  test('own upload: withdrawn by the clerk who uploaded it, not by another clerk', async () => {
    const system = current()
    const { document, person } = await aDraftOf(system, 'CLERK')
    const office = { ...(await storedOffice(system.db, { number: 14 })), id: document.officeId }
    const other = asPerson(await storedUser(system.db, office, ['CLERK']))
    const asked = cancel(system, other, document.id)
    await expect(asked).rejects.toMatchObject({ code: 'forbidden' })
    await cancel(system, person, document.id, 'Me equivoqué de archivo')
    expect(await findDocument(system.db, document.id)).toMatchObject({ state: 'cancelled' })
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'document.cancelled',
      details: { reason: 'Me equivoqué de archivo' },
    })
  })

  test('document: not cancelled while it is in a session', async () => {
    const system = current()
    const lawyer = await storedUser(system.db, await storedOffice(system.db, { number: 13 }), [
      'LAWYER',
    ])
    const document = aDocument(lawyer)
    await system.db.transaction(async (trx) => {
      await insertDocument(trx, document)
      await replaceDocument(trx, document, { ...document, state: 'signing' })
    })
    const refused = cancel(system, asPerson(lawyer), document.id)
    await expect(refused).rejects.toMatchObject({ code: 'wrong-state' })
    expect(await findDocument(system.db, document.id)).toMatchObject({ state: 'signing' })
  })
})
