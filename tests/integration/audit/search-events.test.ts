import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { csvOf } from '#app/routes/audit/log-file.ts'
import { appendEvent, type NewEvent } from '#server/db/audit/audit-events.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { upsertParties } from '#server/db/signing-sessions/parties.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { PartyId } from '#server/domain/ids.ts'
import { KnownParty } from '#server/domain/signing/session/party.ts'
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

  test('names: a title cannot end its quotation', async () => {
    const { system, auditor, ana } = await anOffice(current())
    const deed = await aDeed(system, ana, { title: 'Poder” y firmó “Otra' })
    await happen(system, [
      { actor: ana, action: 'document.viewed', subject: { kind: 'document', id: deed.id } },
    ])
    const { events } = await listRecentEvents(system, auditor, {})
    expect(events[0]?.about?.name).toBe(`${deed.folio} “Poder’ y firmó ‘Otra”`)
  })

  test('names: a party only for the roles that have the catalogue, by page, search and export', async () => {
    const { system, office, auditor, ana } = await anOffice(current())
    const lawyer = asPerson(await storedUser(system.db, office, ['LAWYER', 'AUDITOR']))
    const party = await aParty(system, ana)
    await happen(system, [
      { actor: ana, action: 'party.added', subject: { kind: 'party', id: party.id } },
    ])
    const search = { text: party.rfc }
    expect(await found(system, lawyer, search)).toEqual([0])
    expect(await found(system, auditor, search)).toEqual([])
    for (const [reader, name] of [
      [lawyer, party.name],
      [auditor, null],
    ] as const) {
      const { events } = await listRecentEvents(system, reader, {})
      const log = await exportLog(system, reader, { format: 'csv' })
      const [exported] = await Array.fromAsync(log.events)
      expect([events.at(-1)?.about?.name, exported?.about?.name]).toEqual([name, name])
    }
  })

  test.each<[string, string, number[]]>([
    ['a title', 'compraventa nunez', [0, 2]],
    ['a person who acted or is concerned', 'ana prado', [0, 1, 2, 3]],
    ['a kind of event', 'documento descargado', [2, 4]],
    ['the verb that its row shows', 'descargó', [2, 4]],
    ['a person and a verb', 'prado descargo', [2]],
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
    ])
    await happen(system, [{ actor: other.ana, action: 'document.downloaded', subject: about }])
    expect(await found(system, auditor, { text })).toEqual(wanted)
    const { events } = await exportLog(system, auditor, { format: 'csv', text })
    const exported = await Array.fromAsync(events)
    expect(exported.map(({ seq }) => seq)).toEqual(wanted)
  })

  test('search: a name that looks like a verb stays a name beside a kind of event', async () => {
    const { system, office, auditor } = await anOffice(current())
    const marco = asPerson(await storedUser(system.db, office, ['CLERK'], { firstName: 'Marco' }))
    await happen(system, [
      { actor: marco, action: 'document.downloaded', subject: { kind: 'nothing' } },
      { actor: auditor, action: 'document.downloaded', subject: { kind: 'nothing' } },
    ])
    expect(await found(system, auditor, { text: 'Marco descargado' })).toEqual([0])
  })

  test('search: of more documents than fit says so, and cannot be exported', async () => {
    const { system, auditor, ana } = await anOffice(current())
    for (let index = 0; index < 20; index += 1) await aDeed(system, ana, { title: 'Donación' })
    expect(await listRecentEvents(system, auditor, { text: 'donacion' })).toMatchObject({
      isPartial: false,
    })
    await aDeed(system, ana, { title: 'Donación' })
    expect(await listRecentEvents(system, auditor, { text: 'donacion' })).toMatchObject({
      isPartial: true,
    })
    const before = await system.log()
    await expect(
      exportLog(system, auditor, { format: 'csv', text: 'donacion' }),
    ).rejects.toMatchObject({ code: 'search-too-wide' })
    expect(await system.log()).toEqual(before)
  })

  test('search: of more people than fit says so', async () => {
    const { system, office, auditor } = await anOffice(current())
    for (let index = 0; index < 11; index += 1)
      await storedUser(system.db, office, ['CLERK'], { lastName: 'Xicoténcatl' })
    expect(await listRecentEvents(system, auditor, { text: 'xicotencatl' })).toMatchObject({
      isPartial: true,
    })
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
    expect(first.events).toHaveLength(40)
    const last = await listRecentEvents(system, auditor, { ...query, before: first.next })
    const rest = Array.from({ length: 20 }, (_, index) => 38 - 2 * index)
    expect(last.events.map(({ seq }) => seq)).toEqual(rest)
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
  const ana = asPerson(user)
  const deed = await aDeed(system, ana, { title: 'Compraventa Núñez' })
  return { system, office, auditor, ana, deed }
}

let deeds = 0

async function aDeed(
  system: TestSystem,
  { officeId, userId }: Person,
  { title }: { title: string },
) {
  deeds += 1
  const folio = `2026-${String(deeds).padStart(6, '0')}`
  const deed = aDocument({ officeId, id: userId }, { title, folio })
  await system.db.transaction((trx) => insertDocument(trx, deed))
  await indexDocuments(system)
  return deed
}

async function aParty(system: TestSystem, { officeId, userId }: Person): Promise<KnownParty> {
  const party = KnownParty.parse({
    ...{ id: PartyId.parse(randomUUID()), officeId, by: userId, at: MORNING },
    ...{ name: 'Benito Núñez Peña', rfc: 'NUPB801201QX7', email: null, character: 'Comprador' },
  })
  await system.db.transaction((trx) => upsertParties(trx, [party]))
  return party
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
