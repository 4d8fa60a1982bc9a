import { expect, test } from 'vitest'
import { csvOf } from '#app/routes/audit/log-file.ts'
import { appendEvent, type NewEvent } from '#server/db/audit/audit-events.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { exportLog } from '#server/features/audit/export-log.ts'
import { listNewEvents } from '#server/features/audit/list-new-events.ts'
import {
  type ListRecentEvents,
  listRecentEvents,
} from '#server/features/audit/list-recent-events.ts'
import { indexDocuments } from '#server/features/documents/index-documents.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

onEachSystem('search of the log', (current) => {
  test('names: the document and the person of each event, of the own office alone', async () => {
    const { system, auditor, ana, deed } = await anOffice(current())
    const other = await anOffice(current(), 13)
    await happen(system, [
      { actor: ana, action: 'document.viewed', subject: { kind: 'document', id: deed.id } },
      { actor: auditor, action: 'user.suspended', subject: { kind: 'user', id: ana.userId } },
      { actor: ana, action: 'document.viewed', subject: { kind: 'document', id: other.deed.id } },
    ])
    const { events } = await listRecentEvents(system, auditor, {})
    expect(events.map(({ about }) => about?.name)).toEqual([
      null,
      'Ana Prado',
      `${deed.folio} “${deed.title}”`,
    ])
  })

  test.each<[string, string, number[]]>([
    ['a title', 'compraventa nunez', [0, 2]],
    ['a person who acted or is concerned', 'ana prado', [0, 1, 2, 3]],
    ['a kind of event', 'documento descargado', [2, 4]],
    ['a person and a kind of event', 'prado descargado', [2]],
    ['a title and a kind of event', 'descargado compraventa', [2]],
    ['what no one and nothing is called', 'xochitlalpan', []],
    ['no letter and no digit', '…', []],
  ])('search: finds events by %s', async (_, text, wanted) => {
    const { system, auditor, ana, deed } = await anOffice(current())
    const other = await anOffice(current(), 13)
    const about = { kind: 'document', id: deed.id } as const
    await happen(system, [
      { actor: ana, action: 'document.viewed', subject: about },
      { actor: auditor, action: 'user.changed', subject: { kind: 'user', id: ana.userId } },
      { actor: ana, action: 'document.downloaded', subject: about },
      { actor: ana, action: 'session.started', subject: { kind: 'nothing' } },
      { actor: auditor, action: 'document.downloaded', subject: { kind: 'nothing' } },
      { actor: other.ana, action: 'document.downloaded', subject: about },
    ])
    expect(await found(system, auditor, { text })).toEqual(wanted)
    const { events } = await exportLog(system, auditor, { format: 'csv', text })
    const exported = await Array.fromAsync(events)
    expect(exported.map(({ seq }) => seq)).toEqual(wanted)
  })

  test('search: of a clerk finds own events only', async () => {
    const { system, auditor, ana, deed } = await anOffice(current())
    const about = { kind: 'document', id: deed.id } as const
    await happen(system, [
      { actor: auditor, action: 'document.viewed', subject: about },
      { actor: ana, action: 'document.viewed', subject: about },
    ])
    expect(await found(system, ana, { text: 'compraventa' })).toEqual([1])
    expect(await found(system, ana, { text: 'documento consultado' })).toEqual([1])
  })

  test('search: goes on page by page, and combines with the other filters', async () => {
    const { system, auditor, ana, deed } = await anOffice(current())
    const about = { kind: 'document', id: deed.id } as const
    const views = Array.from({ length: 120 }, (_, index) => ({
      actor: index % 2 === 0 ? ana : auditor,
      action: 'document.viewed' as const,
      subject: about,
    }))
    await happen(system, views)
    const query = { text: 'compraventa', by: ana.userId }
    const first = await listRecentEvents(system, auditor, query)
    expect(first.events).toHaveLength(50)
    const last = await listRecentEvents(system, auditor, { ...query, before: first.next })
    expect(last.events.map(({ seq }) => seq)).toEqual([18, 16, 14, 12, 10, 8, 6, 4, 2, 0])
    expect(last.next).toBeUndefined()
  })

  test('export: its table names the document and says what happened; the log does not keep what was searched', async () => {
    const { system, auditor, ana, deed } = await anOffice(current())
    await happen(system, [
      { actor: ana, action: 'document.viewed', subject: { kind: 'document', id: deed.id } },
    ])
    const log = await exportLog(system, auditor, { format: 'csv', text: 'compraventa' })
    const [, row] = await Array.fromAsync(csvOf(log.events, log.timeZone))
    const name = `${deed.folio} “${deed.title}”`
    expect(row).toContain(`Ana Prado,${name},Ana Prado consultó el documento ${name},`)
    const { details } = (await system.log()).at(-1)!
    expect(details).toEqual({ format: 'csv', text: 'yes' })
  })

  test('new events: those since the page was read that the filters show', async () => {
    const { system, auditor, ana, deed } = await anOffice(current())
    const view = { action: 'document.viewed', subject: { kind: 'document', id: deed.id } } as const
    await happen(system, [{ actor: ana, ...view }])
    const { end } = await listRecentEvents(system, auditor, {})
    const nothing = { events: [], end, hasMore: false }
    expect(await listNewEvents(system, auditor, { after: end })).toEqual(nothing)
    await happen(system, [
      { actor: ana, ...view },
      { actor: auditor, ...view },
    ])
    const later = await listNewEvents(system, auditor, { after: end, by: ana.userId })
    expect(later.events.map(({ seq }) => seq)).toEqual([1])
    expect(later).toMatchObject({ end: 3, hasMore: false })
    await happen(
      system,
      Array.from({ length: 60 }, () => ({ actor: ana, ...view })),
    )
    expect(await listNewEvents(system, auditor, { after: later.end })).toMatchObject({
      hasMore: true,
    })
  })
})

async function anOffice(system: TestSystem, number = 12) {
  const office = await storedOffice(system.db, { number })
  const auditor = asPerson(await storedUser(system.db, office, ['AUDITOR'], { lastName: 'Zepeda' }))
  const name = { firstName: 'Ana', lastName: 'Prado' }
  const user = await storedUser(system.db, office, ['CLERK'], name)
  const deed = aDocument(user, { title: 'Compraventa Núñez' })
  await system.db.transaction((trx) => insertDocument(trx, deed))
  await indexDocuments(system)
  return { system, auditor, ana: asPerson(user), deed }
}

async function happen(system: TestSystem, events: Omit<NewEvent, 'at'>[]): Promise<void> {
  await system.db.transaction(async (trx) => {
    for (const event of events) await appendEvent(trx, { ...event, at: MORNING })
  })
}

/** The positions of the events of a page, oldest first. */
async function found(system: TestSystem, actor: Actor, query: ListRecentEvents) {
  const { events } = await listRecentEvents(system, actor, query)
  return events.map(({ seq }) => seq).toReversed()
}
