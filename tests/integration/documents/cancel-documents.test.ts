import { expect, test } from 'vitest'
import { findDocument } from '#server/db/documents/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { Role } from '#server/domain/identity/role.ts'
import {
  CancelDocuments,
  cancelDocuments,
  listCancellable,
} from '#server/features/documents/cancel-documents.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aDraft } from '#tests/support/office/signing-system.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

async function anOffice({ db }: TestSystem, number = 12) {
  const office = await storedOffice(db, { number })
  const personOf = async (role: Role): Promise<Person> =>
    asPerson(await storedUser(db, office, [role]))
  const [clerk, colleague] = [await personOf('CLERK'), await personOf('CLERK')]
  return { clerk, colleague, notary: await personOf('NOTARY'), auditor: await personOf('AUDITOR') }
}

const content = (word: string) => Buffer.from(`%PDF-1.7\n${word}\n%%EOF\n`)
const inputFor = (documents: readonly Document[]) =>
  CancelDocuments.parse({
    documentIds: documents.map(({ id }) => id),
    reason: 'Se subieron dos veces',
  })
const cancel = (system: TestSystem, actor: Actor, documents: readonly Document[]) =>
  cancelDocuments(system, actor, inputFor(documents))
const idsOf = (documents: readonly Document[]) => documents.map(({ id }) => id)

onEachSystem('cancelling several documents', (current) => {
  test('clerk: cancels the own uploads; each refused one says why and holds no other up', async () => {
    const system = current()
    const { clerk, colleague } = await anOffice(system)
    const [first, last] = [
      await aDraft(system, clerk, content('uno')),
      await aDraft(system, clerk, content('dos')),
    ]
    const foreign = await aDraft(system, colleague, content('tres'))
    const all = [first, foreign, last]
    const { drafts, ofOthers, noDrafts } = await listCancellable(system, clerk, inputFor(all))
    expect([drafts, ofOthers, noDrafts].map(idsOf)).toEqual([[first.id, last.id], [foreign.id], []])
    const outcome = await cancel(system, clerk, all)
    expect(idsOf(outcome.cancelled)).toEqual([first.id, last.id])
    expect(outcome.refused).toMatchObject([
      { document: { id: foreign.id }, problem: { code: 'forbidden' } },
    ])
    expect(await findDocument(system.db, foreign.id)).toMatchObject({ state: 'draft' })
  })

  test('double click: each draft is cancelled once', async () => {
    const system = current()
    const { notary, clerk } = await anOffice(system)
    const drafts = [
      await aDraft(system, clerk, content('uno')),
      await aDraft(system, clerk, content('dos')),
    ]
    const outcomes = await Promise.all([1, 2].map(() => cancel(system, notary, drafts)))
    expect(outcomes.flatMap(({ cancelled }) => idsOf(cancelled)).toSorted()).toEqual(
      idsOf(drafts).toSorted(),
    )
    const again = await listCancellable(system, notary, inputFor(drafts))
    expect([again.drafts, again.noDrafts].map(idsOf)).toEqual([[], idsOf(drafts)])
    const events = (await system.log()).filter(({ action }) => action === 'document.cancelled')
    expect(events).toHaveLength(2)
  })

  test('auditor, and documents of another office: nothing is cancelled', async () => {
    const system = current()
    const { clerk, auditor } = await anOffice(system)
    const other = await anOffice(system, 77)
    const draft = await aDraft(system, clerk, content('uno'))
    await expect(cancel(system, auditor, [draft])).rejects.toMatchObject({ code: 'forbidden' })
    await expect(cancel(system, other.notary, [draft])).rejects.toMatchObject({ code: 'not-found' })
    expect(await findDocument(system.db, draft.id)).toMatchObject({ state: 'draft' })
  })
})
