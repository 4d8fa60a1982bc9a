import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { answerTo } from '#app/http/problems.ts'
import { appendEvent, type NewEvent } from '#server/db/audit/audit-events.ts'
import {
  openEventQueue,
  WAITING_BYTES,
  WAITING_BYTES_IN_ALL,
  WAITING_EVENTS,
} from '#server/db/audit/event-queue.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { DatabaseUnreachable } from '#server/domain/installation/database-unreachable.ts'
import { Problem } from '#server/domain/problem.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { type Cut, cutConnections } from '#tests/support/cut-connections.ts'
import { emptyDatabase, onEachDatabase } from '#tests/support/database.ts'
import { aView, countsOf, officeWithLog, soundLogs } from '#tests/support/office/log-writers.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

/** The database, with the number of its transactions; each returns when the gate is open. */
function gated(db: Database, isOpen = true) {
  const gate = Promise.withResolvers<void>()
  if (isOpen) gate.resolve()
  let transactions = 0
  const held = async <T>(work: Promise<T>): Promise<T> => {
    transactions += 1
    const result = await work
    await gate.promise
    return result
  }
  const counted: Database = {
    ...db,
    transaction: (work) => held(db.transaction(work)),
    executeAlone: (make) => held(db.executeAlone(make)),
  }
  return { db: counted, open: gate.resolve, transactions: () => transactions }
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  while (!(await isReached())) await pause(5)
}

const eventsOf = async (db: Database) => [...(await soundLogs(db)).values()].flat()

/** The codes of the refusals, and `done` for what was appended. */
const outcomesOf = async (work: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map((one) => {
    if (one.status === 'fulfilled') return 'done'
    return one.reason instanceof Problem ? one.reason.code : String(one.reason.message)
  })

/** Rejects rows about this subject, as a fault of the database would. */
async function refuseSubject({ db }: { db: Database }, subject: string): Promise<void> {
  const change =
    db.dialect === 'postgres'
      ? sql`alter table audit_events add constraint poison check (subject_id is distinct from ${sql.lit(subject)})`
      : sql`create trigger poison before insert on audit_events when new.subject_id = ${sql.lit(subject)}
          begin select raise(abort, 'poison'); end`
  await db.transaction((trx) => change.execute(trx))
}

const about = (office: Office, id: string): NewEvent => ({
  ...aView(office),
  subject: { kind: 'document', id },
})

onEachDatabase('the queue of events', (current) => {
  test('events that come at once share a commit, and those that come meanwhile the next one, in their order', async () => {
    const { db, open, transactions } = gated(current().db, false)
    const office = await storedOffice(current().db)
    const queue = openEventQueue(db)
    const append = (count: number) => queue.append(aView(office, 'a', count))
    const recorded = upTo(5).map(append)
    await until(async () => (await eventsOf(db)).length === 5)
    recorded.push(...upTo(15).map((count) => append(5 + count)))
    open()
    const places = (await Promise.all(recorded)).map(({ seq, details }) => [seq, details.count])
    expect(places).toEqual(upTo(20).map((seq) => [seq, seq]))
    expect(transactions()).toBe(2)
    expect(countsOf(await eventsOf(db)).a).toEqual(upTo(20))
  })

  test('an event is in the log once its call returns', async () => {
    const { db, again } = current()
    const office = await storedOffice(db)
    const queue = openEventQueue(db)
    const another = again()
    await Promise.all(
      upTo(40).map(async (count) => {
        const { position } = await queue.append(aView(office, 'a', count))
        const row = await another
          .selectFrom('audit_events')
          .select('seq')
          .where('seq', '=', position)
          .executeTakeFirst()
        expect(row).toEqual({ seq: position })
      }),
    )
  })

  test('a batch is of one office, and offices do not wait for each other', async () => {
    const { db, transactions } = gated(current().db)
    const offices = [await officeWithLog(current().db, 13), await officeWithLog(current().db, 14)]
    const queue = openEventQueue(db)
    await Promise.all(upTo(20).map((count) => queue.append(aView(offices[count % 2]!, 'a', count))))
    expect(transactions()).toBe(2)
    const logs = [...(await soundLogs(db)).values()]
    expect(logs.map((events) => new Set(events.map(({ officeId }) => officeId)).size)).toEqual([
      1, 1,
    ])
    await expect(queue.appendAll(offices.map((office) => aView(office)))).rejects.toThrow(
      'several offices',
    )
  })

  test('events of one call are all in the log or none, and stay together', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    await refuseSubject(current(), 'poison')
    const queue = openEventQueue(db)
    const outcomes = await outcomesOf([
      queue.append(about(office, 'first')),
      queue.appendAll([about(office, 'a'), about(office, 'b')]),
      queue.appendAll([about(office, 'c'), about(office, 'poison')]),
      queue.appendAll([]),
      queue.append(about(office, 'last')),
    ])
    expect(outcomes.map((outcome) => outcome === 'done')).toEqual([true, true, false, true, true])
    const subjects = (await eventsOf(db)).map(({ subject }) => 'id' in subject && subject.id)
    expect(subjects).toEqual(['first', 'a', 'b', 'last'])
  })

  test('a batch that fails: its events are tried one by one, and only the one that cannot be stored fails', async () => {
    const { db, transactions } = gated(current().db)
    const office = await storedOffice(current().db)
    await refuseSubject(current(), 'poison')
    const queue = openEventQueue(db)
    const ids = ['first', 'a', 'b', 'poison', 'c', 'd']
    const outcomes = await outcomesOf(ids.map((id) => queue.append(about(office, id))))
    expect(outcomes.map((outcome) => outcome === 'done')).toEqual([
      ...[true, true, true, false, true, true],
    ])
    // The batch, and each of its six events.
    expect(transactions()).toBe(7)
    const subjects = (await eventsOf(db)).map(({ subject }) => 'id' in subject && subject.id)
    expect(subjects).toEqual(['first', 'a', 'b', 'c', 'd'])
    await queue.append(aView(office))
  })

  test('a database that is away: the events of a batch do not wait for it one by one', async () => {
    const gate = gated(current().db, false)
    const office = await storedOffice(current().db)
    let tries = 0
    const away = () => {
      tries += 1
      return Promise.reject(new DatabaseUnreachable(new Error('no route')))
    }
    const queue = openEventQueue({ ...gate.db, transaction: away, executeAlone: away })
    const outcomes = await outcomesOf(upTo(20).map(() => queue.append(aView(office))))
    expect(new Set(outcomes)).toEqual(new Set(['the database does not answer']))
    expect(tries).toBe(1)
  })

  test('a full queue refuses more events of the office, with a time to wait, and takes those of others', async () => {
    const gate = gated(current().db, false)
    const [full, other] = [
      await officeWithLog(current().db, 13),
      await officeWithLog(current().db, 14),
    ]
    const queue = openEventQueue(gate.db)
    const waiting = upTo(WAITING_EVENTS).map((count) => queue.append(aView(full, 'a', count)))
    const refused = await queue.append(aView(full)).catch((error) => error)
    expect(refused).toBeInstanceOf(Problem)
    expect([refused.code, refused.retryAfter]).toEqual(['log-busy', 2000])
    waiting.push(queue.append(aView(other)))
    gate.open()
    await Promise.all(waiting)
    const logs = [...(await soundLogs(gate.db)).values()]
    expect(logs.map((events) => events.length)).toEqual([WAITING_EVENTS, 1])
    await queue.append(aView(full))
  })

  test('its memory is bounded in bytes, for an office and for all of them', async () => {
    const gate = gated(current().db, false)
    const queue = openEventQueue(gate.db)
    const large = (office: Office, bytes: number): NewEvent => ({
      ...aView(office),
      details: { text: 'x'.repeat(bytes) },
    })
    const offices = upTo(20)
    const taken: Promise<unknown>[] = []
    const outcomes: string[] = []
    for (const number of offices) {
      const office = await officeWithLog(current().db, 13 + number)
      taken.push(queue.append(large(office, 0.6 * WAITING_BYTES)))
      outcomes.push((await outcomesOf([queue.append(large(office, 0.6 * WAITING_BYTES))]))[0] ?? '')
      taken.at(-1)?.catch(() => {})
    }
    expect(new Set(outcomes)).toEqual(new Set(['log-busy']))
    gate.open()
    const done = (await outcomesOf(taken)).filter((outcome) => outcome === 'done')
    expect(done).toHaveLength(Math.floor(WAITING_BYTES_IN_ALL / (0.6 * WAITING_BYTES)))
  })

  test('one event that is larger than all limits is taken when nothing waits', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const details = { text: 'x'.repeat(WAITING_BYTES) }
    const queue = openEventQueue(db)
    await queue.append({ ...aView(office), details })
    expect((await eventsOf(db)).map((event) => event.details)).toEqual([details])
  })

  test('an event that is not well formed is refused by itself', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const queue = openEventQueue(db)
    const outcomes = await outcomesOf([
      queue.append(aView(office)),
      queue.append({ ...aView(office), details: { text: 'a\0b' } }),
      queue.append(aView(office)),
    ])
    expect([outcomes[0], outcomes[2]]).toEqual(['done', 'done'])
    expect(outcomes[1]).toContain('not a text')
  })

  test('drain: returns when all events are in the log, and none is counted as waiting', async () => {
    const gate = gated(current().db, false)
    const office = await storedOffice(current().db)
    const queue = openEventQueue(gate.db)
    await queue.drain()
    const appended = upTo(200).map((count) => queue.append(aView(office, 'a', count)))
    expect(queue.waiting()).toBe(200)
    setTimeout(gate.open, 20)
    await queue.drain()
    expect(await eventsOf(gate.db)).toHaveLength(200)
    await Promise.all(appended)
    expect(queue.waiting()).toBe(0)
  })

  test('inside of a transaction it throws: each would wait for the other', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const queue = openEventQueue(db)
    const nested = db.transaction(async (trx) => {
      await queue.append(aView(office))
      await appendEvent(trx, aView(office))
    })
    await expect(nested).rejects.toThrow('inside of a transaction')
    expect(await eventsOf(db)).toEqual([])
  })
})

test.each<Cut>(['before', 'after'])(
  'a connection that is lost %s the commit of a batch: all are told that its end is unknown, and nothing is appended twice',
  async (cut) => {
    const database = await emptyDatabase('postgres')
    const way = await cutConnections(database.url)
    const db = openDatabase(way.url)
    try {
      const office = await storedOffice(database.db)
      const { db: counted, transactions } = gated(db)
      const queue = openEventQueue(counted)
      await queue.append(aView(office, 'a', 0))
      way.cutNext(cut, 'append_audit_events')
      const batch = upTo(5).map((count) => queue.append(aView(office, 'b', count)))
      const refused = await Promise.all(batch.map((one) => one.catch((error) => error)))
      for (const problem of refused)
        expect(answerTo(problem)).toMatchObject({ status: 503, headers: { 'Retry-After': '10' } })
      expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['commit-unknown']))
      expect([way.cuts(), transactions()]).toEqual([1, 2])
      // The next request has another connection.
      await queue.append(aView(office, 'c', 0))
      const counts = countsOf(await eventsOf(database.db))
      expect(counts).toEqual({ a: [0], c: [0], ...(cut === 'after' && { b: upTo(5) }) })
    } finally {
      await db.close()
      way.close()
      await database.end()
    }
  },
)
