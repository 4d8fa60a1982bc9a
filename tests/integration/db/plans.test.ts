import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  countAlerts,
  countResolvedAlerts,
  findAlert,
  listAlerts,
  resolveAlertsAbout,
} from '#server/db/alerts/alerts.ts'
import { findEventAt, listLeaves } from '#server/db/audit/audit-events.ts'
import { listEvents, listEventsFrom } from '#server/db/audit/event-pages.ts'
import { findEnd } from '#server/db/audit/logs.ts'
import type { Database } from '#server/db/database.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import { actionsAbout } from '#server/domain/audit/topic.ts'
import type { User } from '#server/domain/identity/user.ts'
import { AlertId } from '#server/domain/ids.ts'
import { after, hours } from '#server/domain/time.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { emptyDatabase, type TestDatabase } from '#tests/support/database.ts'
import { FAILING_PROVIDER, fillAlerts } from '#tests/support/office/filled-alerts.ts'
import { BUSY_DOCUMENT, fillLog } from '#tests/support/office/filled-log.ts'
import { viewOf } from '#tests/support/office/log-events.ts'
import { openPlanner, type Planner } from '#tests/support/query-plans.ts'
import { recorded } from '#tests/support/recorded-database.ts'

/*
 * Each call reads a bounded part of each table that grows with the age of the office: its statements scan none, sort
 * none, and on PostgreSQL, which counts, read few rows. To add a call, add a line to CALLS; if it reads another table, fill it in `aFilledOffice` and name it.
 */

/** Tables that are filled here: without rows PostgreSQL would scan them whatever the indexes. */
const GROWING = ['alerts', 'audit_events']
const ROWS = 20_000

type Filled = { db: Database; user: User }
type Call = (filled: Filled) => Promise<unknown>

const page = { limit: 50 }
const behind = { before: 12_345, limit: 50 }
const stretch = { from: 5_000, end: ROWS }
const times = { from: after(MORNING, hours(1)), to: after(MORNING, hours(3)) }
const actions = actionsAbout('access')
/** No event of the filled log has one of these. */
const none = { actions: actionsAbout('people') }
const ofOffice = ({ user }: Filled) => ({ view: viewOf(user.officeId) })
const ofUser = (filled: Filled) => ({ ...ofOffice(filled), actorId: filled.user.id })
const ofDocument = (filled: Filled) => ({ ...ofOffice(filled), subjectId: BUSY_DOCUMENT })
const aboutDocument = ({ user }: Filled) => ({
  ...{ officeId: user.officeId, subjectId: BUSY_DOCUMENT },
})
const ofSources = (filled: Filled) => ({
  ...ofOffice(filled),
  among: [
    ...Array.from({ length: 40 }, () => ({ subjectId: randomUUID(), actions })),
    { subjectId: BUSY_DOCUMENT },
    { actorId: filled.user.id },
    { action: 'document.viewed' as const },
  ],
})
const inbox = ({ user }: Filled) =>
  ({ officeId: user.officeId, userId: user.id, office: 'included' }) as const
const waiting = { states: ['open', 'read'], limit: 50 } as const
const lastAlert = { at: after(MORNING, hours(2)), id: AlertId.parse(randomUUID()) }
const outage = matters.providerDown(FAILING_PROVIDER)

const CALLS: Record<string, Call> = {
  'the end of the log, for an append': (f) =>
    f.db.transaction((trx) => findEnd(trx, f.user.officeId)),
  'events of the office': (f) => listEvents(f.db, { ...ofOffice(f), ...page }),
  'events of the office, a later page': (f) => listEvents(f.db, { ...ofOffice(f), ...behind }),
  'events between two times': (f) => listEvents(f.db, { ...ofOffice(f), ...times, ...behind }),
  'events about a topic': (f) => listEvents(f.db, { ...ofOffice(f), actions, ...behind }),
  'events about a topic between two times': (f) =>
    listEvents(f.db, { ...ofOffice(f), actions, ...times, ...behind }),
  'events of a person': (f) => listEvents(f.db, { ...ofUser(f), ...behind }),
  'events of a person between two times': (f) =>
    listEvents(f.db, { ...ofUser(f), ...times, ...page }),
  'events of a person about a topic': (f) => listEvents(f.db, { ...ofUser(f), actions, ...behind }),
  'events of a person about a topic between two times': (f) =>
    listEvents(f.db, { ...ofUser(f), actions, ...times, ...page }),
  'events of a person about a topic without events': (f) =>
    listEvents(f.db, { ...ofUser(f), ...none, ...page }),
  'events about a document with a filter that none passes': (f) =>
    listEvents(f.db, { ...ofDocument(f), ...none, ...page }),
  'events about a document': (f) => listEvents(f.db, { ...ofDocument(f), ...page }),
  'events about a document with every filter': (f) =>
    listEvents(f.db, { ...ofUser(f), ...ofDocument(f), actions, ...times, ...behind }),
  'events that a search asks for': (f) => listEvents(f.db, { ...ofSources(f), ...page }),
  'events that a search asks for with every filter': (f) =>
    listEvents(f.db, { ...ofUser(f), ...ofSources(f), actions, ...times, ...behind }),
  'a stretch of the exported log of a search': (f) => listEventsFrom(f.db, ofSources(f), stretch),
  'the event of a cancellation': (f) =>
    findEventAt(f.db, { ...aboutDocument(f), action: 'document.cancelled', at: MORNING }),
  'the last events about a document': (f) =>
    listLeaves(f.db, aboutDocument(f), { actions, limit: 20 }, async () => {}),
  'a stretch of the exported log': (f) => listEventsFrom(f.db, ofOffice(f), stretch),
  'a stretch of the exported log with filters': (f) =>
    listEventsFrom(f.db, { ...ofUser(f), actions, ...times }, stretch),
  'a stretch of the exported log about a document': (f) =>
    listEventsFrom(f.db, ofDocument(f), stretch),
  'waiting alerts': (f) => listAlerts(f.db, { ...inbox(f), ...waiting }),
  'waiting alerts, a later page': (f) =>
    listAlerts(f.db, { ...inbox(f), ...waiting, behind: lastAlert }),
  'the number of unread alerts': (f) => countAlerts(f.db, inbox(f), ['open'], 100),
  'the number of alerts in each state': (f) =>
    countAlerts(f.db, inbox(f), ['open', 'read', 'resolved'], 100),
  'one alert': (f) => findAlert(f.db, inbox(f), AlertId.parse(randomUUID())),
  'the number of resolved alerts of a matter': (f) => countResolvedAlerts(f.db, outage),
  'the end of an outage': (f) =>
    f.db.transaction((trx) => resolveAlertsAbout(trx, outage, { at: MORNING, by: null })),
}

describe.each(['sqlite', 'postgres'] as const)('plans (%s)', (dialect) => {
  let database: TestDatabase
  let user: User
  let planner: Planner
  beforeAll(async () => {
    database = await emptyDatabase(dialect)
    user = await aFilledOffice(database.db)
    planner = await openPlanner(dialect, database.url)
  })
  afterAll(async () => {
    await planner.end()
    await database.end()
  })

  test.each(Object.entries(CALLS))('%s: read by an index', async (_, call) => {
    const { db, take } = recorded(database.db)
    await call({ db, user })
    const statements = take()
    expect(statements).not.toEqual([])
    const faults = []
    for (const statement of statements) faults.push(...(await planner.faultsIn(statement, GROWING)))
    expect(faults).toEqual([])
  })
})

/** Two offices with all rows of the growing tables. @returns a user of the first one */
async function aFilledOffice(db: Database): Promise<User> {
  const office = await storedOffice(db)
  const user = await storedUser(db, office)
  const clerk = await storedUser(db, office, ['CLERK'])
  const other = await storedUser(db, await storedOffice(db, { number: 13 }))
  const people = [user, clerk, clerk, clerk, other]
  await fillLog(db, people, ROWS)
  await fillAlerts(db, people, ROWS)
  return user
}
