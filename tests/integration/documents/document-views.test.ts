import { expect, test } from 'vitest'
import { MOST_VIEWS } from '#server/domain/documents/document-view.ts'
import { DocumentViewId } from '#server/domain/ids.ts'
import {
  listDocumentViews,
  removeDocumentView,
  SaveDocumentView,
  saveDocumentView,
} from '#server/features/documents/list/document-views.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

async function twoClerks(system: TestSystem) {
  const office = await storedOffice(system.db)
  const [one, other] = [
    await storedUser(system.db, office, ['CLERK']),
    await storedUser(system.db, office, ['CLERK']),
  ]
  return [asPerson(one), asPerson(other)] as const
}

const view = (name: string, query = 'state=draft') => SaveDocumentView.parse({ name, query })

/** As the log has them, byte by byte. */
const eventsOf = async ({ db }: TestSystem) =>
  (await db.selectFrom('audit_events').select('canonical').execute())
    .map(({ canonical }) => Buffer.from(canonical).toString())
    .filter((text) => text.includes('documentViews'))

onEachSystem('views of the list of documents', (current) => {
  test('are listed by name, for their user only', async () => {
    const system = current()
    const [clerk, other] = await twoClerks(system)
    for (const name of ['Zeta', 'Ábaco', 'mes']) await saveDocumentView(system, clerk, view(name))
    const views = await listDocumentViews(system, clerk)
    expect(views.map(({ name, query }) => [name, query])).toEqual([
      ...[
        ['Ábaco', 'state=draft'],
        ['mes', 'state=draft'],
        ['Zeta', 'state=draft'],
      ],
    ])
    expect(await listDocumentViews(system, other)).toEqual([])
  })

  test('a name is taken whatever its case and accents, of the same user only', async () => {
    const system = current()
    const [clerk, other] = await twoClerks(system)
    await saveDocumentView(system, clerk, view('Índice'))
    const again = saveDocumentView(system, clerk, view('indice', 'kind=will'))
    await expect(again).rejects.toMatchObject({ code: 'view-name-taken' })
    await saveDocumentView(system, other, view('Índice'))
    expect(await listDocumentViews(system, clerk)).toMatchObject([{ query: 'state=draft' }])
  })

  test('a user keeps as many as there may be, with many requests at once, too', async () => {
    const system = current()
    const [clerk] = await twoClerks(system)
    const all = await Promise.allSettled(
      Array.from({ length: MOST_VIEWS + 5 }, (_, at) =>
        saveDocumentView(system, clerk, view(`Vista ${at}`)),
      ),
    )
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    expect(refused).toEqual(Array(5).fill('too-many-views'))
    expect(await listDocumentViews(system, clerk)).toHaveLength(MOST_VIEWS)
  })

  test('only their user removes them, and a second time does nothing', async () => {
    const system = current()
    const [clerk, other] = await twoClerks(system)
    await saveDocumentView(system, clerk, view('Mes'))
    const [stored] = await listDocumentViews(system, clerk)
    const viewId = DocumentViewId.parse(stored?.id)
    await removeDocumentView(system, other, { viewId })
    expect(await listDocumentViews(system, clerk)).toHaveLength(1)
    await removeDocumentView(system, clerk, { viewId })
    await removeDocumentView(system, clerk, { viewId })
    expect(await listDocumentViews(system, clerk)).toEqual([])
  })

  test('the log has each change, without name and filters', async () => {
    const system = current()
    const [clerk] = await twoClerks(system)
    await saveDocumentView(system, clerk, view('Núñez', 'text=nunez'))
    const [stored] = await listDocumentViews(system, clerk)
    await removeDocumentView(system, clerk, { viewId: DocumentViewId.parse(stored?.id) })
    const events = await eventsOf(system)
    expect(events).toHaveLength(2)
    expect(events.join()).not.toMatch(/n[uú][nñ]ez/i)
  })
})
