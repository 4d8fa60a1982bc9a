import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  appendEvent,
  appendEvents,
  appendSystemEventNow,
  type NewEvent,
} from '#server/db/audit/audit-events.ts'
import { listDailyFigures } from '#server/db/audit/daily-figures.ts'
import { openEventQueue } from '#server/db/audit/event-queue.ts'
import { closeLog, insertLog } from '#server/db/audit/logs.ts'
import { insertOffice } from '#server/db/people/offices.ts'
import { FIRST_LOG } from '#server/domain/audit/log.ts'
import { anOffice, MORNING, storedOffice } from '#tests/support/builders.ts'
import { emptyDatabase, onEachDatabase } from '#tests/support/database.ts'
import {
  appendAsBefore,
  aSystemEvent,
  aView,
  countsOf,
  officeWithLog,
  soundLogs,
} from '#tests/support/office/log-writers.ts'

const WRITERS = 20
const EVENTS_OF_EACH = 10
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Texts that would break a careless search for the number, or a careless encoding. */
const HOSTILE = [
  '"seq":7,',
  '","seq":99,"subject":{"kind":"nothing"},"version":1}',
  '\\x00\\',
  "'; drop table audit_events; --",
  'ñ 👩🏽‍⚖️ \u2028\u2029\u007f\u0001',
  '{}[],NULL',
  '',
]

onEachDatabase('the end of a log', (current) => {
  test('twenty writers in two processes, at four offices: each log is without gaps, and has the events of each writer in order', async () => {
    const { db, again } = current()
    const offices = [await storedOffice(db)]
    for (const number of [13, 14, 15]) offices.push(await officeWithLog(db, number))
    const processes = [db, again()]
    await Promise.all(
      upTo(WRITERS).map(async (writer) => {
        const [own, office] = [processes[writer % 2] ?? db, offices[writer % 4]!]
        for (const count of upTo(EVENTS_OF_EACH))
          await own.transaction((trx) => appendEvent(trx, aView(office, `writer ${writer}`, count)))
      }),
    )
    const logs = await soundLogs(db)
    expect([...logs.keys()]).toEqual([0, 1, 2, 3])
    for (const events of logs.values()) {
      expect(events).toHaveLength((WRITERS / 4) * EVENTS_OF_EACH)
      for (const counts of Object.values(countsOf(events)))
        expect(counts).toEqual(upTo(EVENTS_OF_EACH))
    }
  })

  test.each(HOSTILE)('hostile text is stored, hashed and numbered as it is: %j', async (text) => {
    const { db } = current()
    const office = await storedOffice(db)
    const event: NewEvent = {
      ...aView(office),
      subject: { kind: 'document', id: text },
      details: { [text]: text, reason: text },
    }
    const device = { ...event, actor: { ...event.actor, device: text, requestId: text } }
    await db.transaction((trx) => appendEvents(trx, [event, device, event]))
    const events = (await soundLogs(db)).get(FIRST_LOG) ?? []
    expect(events.map((one) => one.device)).toEqual([event.actor.device, text, event.actor.device])
    expect(events[0]?.details).toEqual(event.details)
    const rows = await db.selectFrom('audit_events').select('subject_id').execute()
    expect(rows.map((row) => row.subject_id)).toEqual([text, text, text])
  })

  test('events of several offices in one transaction: each goes to its log, in their order', async () => {
    const { db } = current()
    const offices = [await officeWithLog(db, 13), await officeWithLog(db, 14)] as const
    const [one, other] = offices.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [
      (typeof offices)[0],
      (typeof offices)[0],
    ]
    const ofNone: NewEvent = { ...aView(one, 'a', 4), officeId: null }
    await db.transaction((trx) =>
      appendEvents(trx, [
        aView(one, 'a', 0),
        aView(one, 'a', 1),
        aView(other, 'a', 2),
        aView(other, 'a', 3),
        ofNone,
      ]),
    )
    const logs = [...(await soundLogs(db)).values()]
    const counts = logs.map((events) => countsOf(events).a)
    expect(counts[0]).toEqual([4])
    expect(new Set(counts.slice(1))).toEqual(
      new Set([
        [0, 1],
        [2, 3],
      ]),
    )
  })

  test('events of the same logs, reported in other orders: no transaction runs twice for a deadlock', async () => {
    const { db, again } = current()
    const [one, other] = [await officeWithLog(db, 13), await officeWithLog(db, 14)]
    const processes = [db, again()]
    let runs = 0
    await Promise.all(
      upTo(200).map((writer) =>
        (processes[writer % 2] ?? db).transaction(async (trx) => {
          runs += 1
          const events = [aView(one, `${writer}`), aView(other, `${writer}`)]
          await appendEvents(trx, writer % 2 ? events : events.toReversed())
        }),
      ),
    )
    expect(runs).toBe(200)
    expect([...(await soundLogs(db)).values()].map(({ length }) => length)).toEqual([200, 200])
  })

  test('figures: counted with their events, together and one by one; none for a refusal or for no office', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const verified: NewEvent = { ...aView(office), action: 'document.verified' }
    await db.transaction((trx) => appendEvents(trx, [verified, aView(office), verified]))
    await db.transaction((trx) => appendEvent(trx, verified))
    await db.transaction((trx) =>
      appendEvents(trx, [
        { ...verified, result: 'refused' },
        { ...verified, officeId: null },
        { ...verified, action: 'document.signed' },
      ]),
    )
    const figures = await listDailyFigures(db, office.id, 0)
    expect(figures.map(({ figure, count }) => [figure, count]).toSorted()).toEqual([
      ['signed', 1],
      ['verified', 3],
    ])
  })

  test('an event is appended at the end of its transaction, wherever it is reported: other writers do not wait for what comes between', async () => {
    const { db, again } = current()
    const office = await storedOffice(db)
    await db.transaction(async (trx) => {
      await appendEvent(trx, aView(office, 'a', 0))
      const before = await trx.selectFrom('audit_events').select('seq').execute()
      expect(before).toEqual([])
      if (db.dialect === 'postgres')
        await again().transaction((other) => appendEvent(other, aView(office, 'b', 0)))
    })
    const writers = [...(await soundLogs(db)).values()].flat().map(({ details }) => details.writer)
    expect(writers).toEqual(db.dialect === 'postgres' ? ['b', 'a'] : ['a'])
  })

  test('events that cannot be appended: nothing of their transaction is stored', async () => {
    const { db } = current()
    const office = anOffice()
    const change =
      db.dialect === 'postgres'
        ? sql`alter table audit_events add constraint poison check (action <> 'office.changed')`
        : sql`create trigger poison before insert on audit_events when new.action = 'office.changed'
            begin select raise(abort, 'poison'); end`
    await db.transaction((trx) => change.execute(trx))
    const work = db.transaction(async (trx) => {
      await appendEvent(trx, { ...aView(office), action: 'office.changed' })
      await insertOffice(trx, office)
    })
    await expect(work).rejects.toThrow('poison')
    expect(await db.selectFrom('offices').select('id').execute()).toEqual([])
    expect(await soundLogs(db)).toEqual(new Map())
  })

  test('a log that is closed while writers wait: they go on in the log of their office', async () => {
    const { db, again } = current()
    const office = await storedOffice(db)
    const processes = [db, again()]
    const writing = upTo(WRITERS).map(async (writer) => {
      const own = processes[writer % 2] ?? db
      for (const count of upTo(EVENTS_OF_EACH))
        await own.transaction((trx) => appendEvent(trx, aView(office, `writer ${writer}`, count)))
    })
    const closing = db.transaction(async (trx) => {
      await appendSystemEventNow(trx, {
        ...{ by: 'closing', at: MORNING, officeId: null, action: 'log.closed', result: 'success' },
        ...{ subject: { kind: 'nothing' }, details: { writer: 'closing', count: 0 } },
      })
      await closeLog(trx, FIRST_LOG, MORNING)
      const opened = { openedAt: MORNING, closedAt: null, follows: FIRST_LOG }
      await insertLog(trx, { ...opened, id: randomUUID(), officeId: office.id })
      await insertLog(trx, { ...opened, id: randomUUID(), officeId: null })
    })
    await Promise.all([...writing, closing])
    const logs = await soundLogs(db)
    expect(logs.get(FIRST_LOG)?.at(-1)?.action).toBe('log.closed')
    const all = [...logs.values()].flat()
    expect(all).toHaveLength(WRITERS * EVENTS_OF_EACH + 1)
    for (const [writer, counts] of Object.entries(countsOf(all)))
      if (writer !== 'closing') expect(counts).toEqual(upTo(EVENTS_OF_EACH))
  })
})

/** A PostgreSQL database for the running test. */
async function postgres() {
  const database = await emptyDatabase('postgres')
  return { ...database, [Symbol.asyncDispose]: () => database.end() }
}

test('a release before this one, beside it: their events share each log without gaps', async () => {
  await using current = await postgres()
  const { db, again } = current
  const [office, older] = [await officeWithLog(db, 13), again()]
  await Promise.all(
    upTo(WRITERS).map(async (writer) => {
      for (const count of upTo(EVENTS_OF_EACH))
        if (writer % 2 === 0)
          await db.transaction((trx) => appendEvent(trx, aView(office, `new ${writer}`, count)))
        else
          await older.transaction((trx) =>
            appendAsBefore(trx, office.id, aSystemEvent(office.id, `old ${writer}`, count)),
          )
    }),
  )
  const logs = [...(await soundLogs(db)).values()]
  expect(logs).toHaveLength(1)
  const counts = countsOf(logs[0] ?? [])
  expect(Object.keys(counts)).toHaveLength(WRITERS)
  for (const own of Object.values(counts)) expect(own).toEqual(upTo(EVENTS_OF_EACH))
})

test('append on PostgreSQL: needs no rights but those on the tables', async () => {
  await using current = await postgres()
  const { db } = current
  const office = await storedOffice(db)
  const role = `writer_${randomUUID().replaceAll('-', '')}`
  const grants = [
    `create role ${role}`,
    `grant usage on schema public to ${role}`,
    `grant select on logs to ${role}`,
    `grant select, insert on audit_events to ${role}`,
    `grant select, insert, update on daily_figures to ${role}`,
  ]
  const append = () =>
    db.transaction(async (trx) => {
      await sql`set local role ${sql.id(role)}`.execute(trx)
      await appendEvent(trx, { ...aView(office), action: 'document.verified' })
    })
  try {
    await db.transaction(async (trx) => {
      for (const grant of grants) await sql.raw(grant).execute(trx)
    })
    await append()
    await db.transaction((trx) =>
      sql.raw(`revoke insert on audit_events from ${role}`).execute(trx),
    )
    await expect(append()).rejects.toThrow('permission denied')
    expect([...(await soundLogs(db)).values()].flat()).toHaveLength(1)
  } finally {
    await db.transaction(async (trx) => {
      await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(trx)
    })
  }
})

test('a database that hashes other bytes: is found out by what reads its answer', async () => {
  await using current = await postgres()
  const { db } = current
  const office = await storedOffice(db)
  await db.transaction(async (trx) => {
    const { rows } = await sql<{ definition: string }>`
      select pg_get_functiondef('append_audit_events'::regproc) as definition`.execute(trx)
    const changed = rows[0]?.definition.replace("'\\x00'", "'\\x01'") ?? ''
    expect(changed).toContain("'\\x01'")
    await sql.raw(changed).execute(trx)
  })
  const appended = db.transaction((trx) =>
    appendSystemEventNow(trx, {
      ...{
        by: 'a test',
        at: MORNING,
        officeId: office.id,
        action: 'alert.read',
        result: 'success',
      },
      ...{ subject: { kind: 'nothing' }, details: {} },
    }),
  )
  await expect(appended).rejects.toThrow('stored another event')
  expect(await soundLogs(db)).toEqual(new Map())
  await expect(openEventQueue(db).append(aView(office))).rejects.toThrow('stored another event')
})
