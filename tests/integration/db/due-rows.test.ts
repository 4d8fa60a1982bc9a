import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  findOverdueProofs,
  listArchivesToRenew,
  listUnarchived,
} from '#server/db/documents/archives.ts'
import { listSignatures } from '#server/db/documents/signatures.ts'
import { listUnjudged } from '#server/db/documents/upload-judgements.ts'
import { countMail, listMail } from '#server/db/mail/outbox.ts'
import { hasDueMail } from '#server/db/mail/outbox-sending.ts'
import {
  endActivationsBy,
  endActivationsOf,
  findLastActivation,
} from '#server/db/people/activations.ts'
import { countKeptForms, countKeptRequests } from '#server/db/sign-ins/kept-requests.ts'
import { endSignInsOf } from '#server/db/sign-ins/sign-ins.ts'
import { listDueSessions } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { listEndingCertificates as listEndingRows } from '#server/db/trust/certificates.ts'
import { listDueConstancias } from '#server/db/trust/constancias.ts'
import { insertServiceProvider } from '#server/db/trust/service-providers.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import { DocumentId, MailId, ServiceProviderId } from '#server/domain/ids.ts'
import { days } from '#server/domain/time.ts'
import { clearWorkingRows } from '#server/features/auth/clear-working-rows.ts'
import { listCertificates } from '#server/features/certificates/list-certificates.ts'
import { listEndingCertificates } from '#server/features/certificates/list-ending-certificates.ts'
import { sendDueMail } from '#server/features/mail/send-due-mail.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { queueMail } from '#server/steps/mail/queue-mail.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { emptyDatabase, type TestDatabase } from '#tests/support/database.ts'
import { addWorkingRows } from '#tests/support/office/expired-rows.ts'
import { openPlanner, type Planner } from '#tests/support/query-plans.ts'
import { type RecordedDatabase, recorded } from '#tests/support/recorded-database.ts'
import { type TestSystem, testSystem } from '#tests/support/test-system.ts'

let database: TestDatabase
let recording: RecordedDatabase
let planner: Planner
let system: TestSystem
let office: Office
let user: User
let person: Person
let folder = ''
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rubrica-plans-'))
  database = await emptyDatabase('sqlite')
  recording = recorded(database.db)
  planner = await openPlanner('sqlite', database.url)
  system = await testSystem(recording.db, folder)
  office = await storedOffice(database.db)
  user = await storedUser(database.db, office)
  person = asPerson(user)
})
afterEach(async () => {
  await planner.end()
  await database.end()
  rmSync(folder, { recursive: true, force: true })
})

/** A step that costs more with each row of the office. A few rows remain few, however old the office is. */
const isGrowing = (step: string) =>
  /\bSCAN\b|TEMP B-TREE/.test(step) && !/\bSCAN (?:office|counted|CONSTANT ROW)\b/.test(step)

async function planOf(work: () => Promise<unknown>): Promise<string[]> {
  recording.take()
  await work()
  const steps = []
  for (const statement of recording.take()) steps.push(...(await planner.stepsOf(statement)))
  expect(steps).not.toEqual([])
  return steps
}

/** The steps of the statements of `work` that cost more with each row. */
const growing = async (work: () => Promise<unknown>) => (await planOf(work)).filter(isGrowing)

const writing = (work: (trx: Transaction) => Promise<unknown>) => () =>
  system.db.transaction(async (trx) => void (await work(trx)))

const documentId = DocumentId.parse(randomUUID())
const providerId = ServiceProviderId.parse(randomUUID())
const behind = { at: MORNING, id: MailId.parse(randomUUID()) }

test('certificates: each page is read by an index', async () => {
  expect(await growing(() => listCertificates(system, person))).toEqual([])
  const second = { behind: { at: MORNING, id: randomUUID() as never } }
  expect(await growing(() => listCertificates(system, person, second))).toEqual([])
  expect(await growing(() => listEndingCertificates(system, person, { limit: 7 }))).toEqual([])
  const ending = { officeId: office.id, from: MORNING, until: MORNING, limit: 50, ...second }
  expect(await growing(() => listEndingRows(system.db, ending))).toEqual([])
})

test('archives: documents that are due are found by an index', async () => {
  await database.db.transaction((trx) =>
    insertServiceProvider(trx, {
      ...{ id: providerId, officeId: office.id, kind: 'timestamp', name: 'Sellos' },
      ...{ url: 'https://sellos.example', username: null, sealed: null, policy: null },
      ...{ position: 1, state: 'active', stateSince: MORNING, stateBy: null, cost: null },
    }),
  )
  const due = { now: MORNING, limit: 50 }
  expect(await growing(() => listUnarchived(system.db, due))).toEqual([])
  expect(await growing(() => listArchivesToRenew(system.db, due))).toEqual([])
})

test('archives: overdue renewals are found by an index', async () => {
  expect(await planOf(() => findOverdueProofs(system.db, office.id, MORNING))).toContainEqual(
    expect.stringMatching(/USING INDEX archives_ending \(office_id=\? AND holds_until[<>]\?/),
  )
  expect(await growing(() => findOverdueProofs(system.db, office.id, MORNING))).toEqual([])
})

test('mail: due and expired mail is found by an index', async () => {
  const mailer: Mailer = {
    send: async () => ({ kind: 'accepted' }),
    reach: async () => ({ kind: 'reached' }),
  }
  const mail = {
    ...{
      officeId: office.id,
      at: MORNING,
      to: { name: 'Ana', address: Email.parse('a@n.example') },
    },
    facts: { kind: 'alert', title: 'Aviso', text: 'Texto.' },
  } as const
  const run = () => sendDueMail({ ...system, mailer })
  expect(await growing(() => hasDueMail(system.db, MORNING, office.id))).toEqual([])
  await database.db.transaction((trx) => queueMail(trx, mail))
  expect(await growing(run)).toEqual([])
  await database.db.transaction((trx) => queueMail(trx, mail))
  system.wait(days(31))
  expect(await growing(run)).toEqual([])
})

test('mail: pages and counts are read by an index', async () => {
  const page = { officeId: office.id, limit: 51 }
  expect(await growing(() => listMail(system.db, page))).toEqual([])
  // Not by the index of all mail, which would pass over the mail of other states.
  for (const filter of [{ state: 'sent' }, { state: 'sent', behind }] as const)
    expect(await planOf(() => listMail(system.db, { ...page, ...filter }))).toEqual([
      expect.stringMatching(/^SEARCH outbox USING INDEX \w+ \(office_id=\? AND state=\?/),
    ])
  expect(await growing(() => countMail(system.db, office.id))).toEqual([])
})

test('working rows: those that are over are found by an index', async () => {
  await addWorkingRows(system, { user, office }, 1)
  system.wait(days(2))
  expect(await growing(() => clearWorkingRows(system))).toEqual([])
})

test('signing sessions: those that are due are found by an index', async () => {
  const due = { officeId: office.id, until: MORNING, limit: 7 }
  const step = expect.stringMatching(/ \(office_id=\? AND state=\? AND deadline<\?\)$/)
  expect(await planOf(() => listDueSessions(system.db, due))).toEqual([step, step])
})

test('judgements: files that wait are found by an index', async () => {
  expect(await growing(() => listUnjudged(system.db, MORNING, 20))).toEqual([])
})

test('constancias: those that are due are found by an index', async () => {
  const steps = await planOf(() => listDueConstancias(system.db, MORNING, 50))
  expect(steps.filter(isGrowing)).toEqual([])
  expect(steps).toContainEqual(
    expect.stringMatching(/ \(office_id=\? AND state=\? AND next_attempt_at<\?\)$/),
  )
})

test('signatures: those of a document are found by an index', async () => {
  expect(await growing(() => listSignatures(system.db, documentId))).toEqual([])
})

test('access of a user: links, pending sign-ins and kept forms are found by an index', async () => {
  const { userId, sessionId } = person
  expect(await growing(() => findLastActivation(system.db, userId))).toEqual([])
  expect(await growing(writing((trx) => endActivationsOf(trx, userId, MORNING)))).toEqual([])
  expect(await growing(writing((trx) => endActivationsOf(trx, null, MORNING)))).toEqual([])
  expect(await growing(writing((trx) => endActivationsBy(trx, userId, MORNING)))).toEqual([])
  expect(await growing(writing((trx) => endSignInsOf(trx, userId, MORNING)))).toEqual([])
  expect(await growing(() => countKeptRequests(system.db, sessionId, MORNING))).toEqual([])
  expect(await growing(() => countKeptForms(system.db, userId, MORNING))).toEqual([])
})
