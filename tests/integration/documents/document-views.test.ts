import { expect, test } from 'vitest'
import { MOST_VIEWS } from '#server/domain/documents/document-view.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentViewId } from '#server/domain/ids.ts'
import { UNDO_ACCEPTED } from '#server/domain/undo.ts'
import {
  listDocumentViews,
  removeDocumentView,
  restoreDocumentView,
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

  /** Saves a view and removes it. Returns what undoes that. */
  async function aRemovedView(clerk: Actor) {
    await saveDocumentView(current(), clerk, view('Mes', 'kind=will'))
    const [stored] = await listDocumentViews(current(), clerk)
    const viewId = DocumentViewId.parse(stored?.id)
    const undo = await removeDocumentView(current(), clerk, { viewId })
    if (!stored || !undo) throw new Error('no view was removed')
    return { stored, undo }
  }

  test('undo: a removed view is as before, with one event, however often it is sent', async () => {
    const system = current()
    const [clerk] = await twoClerks(system)
    const { stored, undo } = await aRemovedView(clerk)
    const both = [undo, undo].map((one) => restoreDocumentView(system, clerk, one))
    expect(await Promise.all(both)).toEqual(['undone', 'undone'])
    expect(await listDocumentViews(system, clerk)).toEqual([stored])
    expect(await eventsOf(system)).toHaveLength(3)
  })

  test('undo: a view stays removed when the time is over', async () => {
    const system = current()
    const [clerk] = await twoClerks(system)
    const { undo } = await aRemovedView(clerk)
    system.wait(UNDO_ACCEPTED)
    expect(await restoreDocumentView(system, clerk, undo)).toBe('too-late')
    expect(await listDocumentViews(system, clerk)).toEqual([])
  })

  test('undo: a view that took the name since is kept, and so is the limit', async () => {
    const system = current()
    const [clerk] = await twoClerks(system)
    const { undo } = await aRemovedView(clerk)
    await saveDocumentView(system, clerk, view('MES', 'state=signed'))
    expect(await restoreDocumentView(system, clerk, undo)).toBe('changed')
    expect(await listDocumentViews(system, clerk)).toMatchObject([{ query: 'state=signed' }])

    const [kept] = await listDocumentViews(system, clerk)
    await removeDocumentView(system, clerk, { viewId: DocumentViewId.parse(kept?.id) })
    for (let at = 0; at < MOST_VIEWS; at += 1)
      await saveDocumentView(system, clerk, view(`Vista ${at}`))
    expect(await restoreDocumentView(system, clerk, undo)).toBe('changed')
    expect(await listDocumentViews(system, clerk)).toHaveLength(MOST_VIEWS)
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
