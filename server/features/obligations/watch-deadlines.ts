import { findDocuments } from '#server/db/documents/documents.ts'
import { insertDeadlines, listToNotice, noteNotice } from '#server/db/obligations/deadlines.ts'
import { lockObligations } from '#server/db/obligations/obligations.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { findUsers } from '#server/db/people/users.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import { type AlertReader, readersOfAlertAbout } from '#server/domain/alerts/readers.ts'
import { type Day, dayOf } from '#server/domain/day.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { dayText } from '#server/domain/documents/instrument.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { DocumentId, OfficeId } from '#server/domain/ids.ts'
import type { Deadline } from '#server/domain/obligations/deadline.ts'
import {
  type DeadlineNotice,
  isLateNotice,
  nextNoticeOn,
  noticeAt,
} from '#server/domain/obligations/notices.ts'
import { type Month, monthBefore } from '#server/domain/reports/month.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import type { System } from '#server/system.ts'
import { deadlineFacts } from '#server/words/obligations.ts'
import { resolveUnneeded } from './resolve-unneeded.ts'
import { newDeadline } from './set-deadlines.ts'
import { dueDayBy, type Terms, termsOfOffice } from './terms-of-office.ts'

/** Deadlines that are read at once. */
const AT_ONCE = 200

type Watching = Pick<System, 'db' | 'clock'>

/**
 * Sets the deadlines of the month, and warns of those that end soon or are late: those of an obligation that end on one day in one
 * alert, and each notice once. Safe to run in two processes at once.
 *
 * @param stopping ends the run after the current alert
 */
export async function watchDeadlines(system: Watching, stopping?: AbortSignal): Promise<void> {
  for (const { id } of await listOffices(system.db)) {
    if (stopping?.aborted) return
    const terms = await system.db.transaction((trx) => setMonths(trx, id, system.clock.now()))
    if (!terms) continue
    await warn(system, terms, dayOf(system.clock.now(), terms.office.timeZone), stopping)
  }
}

/**
 * Sets the deadlines about the last month and this one. A month whose day has passed before it was set is not set: a new office starts
 * with nothing late.
 *
 * @returns the terms of the office
 */
async function setMonths(
  trx: Transaction,
  officeId: OfficeId,
  at: Instant,
): Promise<Terms | undefined> {
  // A change of the terms is either seen here, or counts these deadlines again.
  await lockObligations(trx, officeId)
  const terms = await termsOfOffice(trx, officeId)
  if (!terms) return undefined
  const today = dayOf(at, terms.office.timeZone)
  const months = [monthBefore(today), today.slice(0, 7) as Month]
  const deadlines = [...terms.obligations.keys()].flatMap((obligationId) =>
    months.flatMap((period) => {
      const about = { kind: 'month', period } as const
      const dueOn = dueDayBy(terms, { obligationId, about }, undefined)
      if (dueOn === null || dueOn < today) return []
      return newDeadline({ officeId, obligationId, about, dueOn }, at)
    }),
  )
  await insertDeadlines(trx, deadlines)
  return terms
}

async function warn(
  system: Watching,
  terms: Terms,
  today: Day,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const officeId = terms.office.id
  for (;;) {
    const due = await listToNotice(system.db, { officeId, today, limit: AT_ONCE })
    const groups = await groupsOf(system, due, today)
    let noted = 0
    for (const group of groups) {
      if (stopping?.aborted) return
      noted += await system.db.transaction((trx) =>
        warnOf(trx, { terms, group, today, at: system.clock.now() }),
      )
    }
    // None noted: another process was faster.
    if (due.length < AT_ONCE || noted === 0) return
  }
}

/** Deadlines of one alert: of one obligation, day, notice, and author of the documents. */
type Group = {
  notice: DeadlineNotice
  /** The active author of the documents; undefined for a month, or if there is none. */
  owner: User | undefined
  deadlines: readonly [Deadline, ...Deadline[]]
  documents: ReadonlyMap<DocumentId, Document>
}

async function groupsOf({ db }: Watching, due: readonly Deadline[], today: Day): Promise<Group[]> {
  const ids = due.flatMap(({ about }) => (about.kind === 'document' ? [about.documentId] : []))
  const documents = await findDocuments(db, ids)
  const users = await findUsers(
    db,
    [...documents.values()].map(({ createdBy }) => createdBy),
  )
  const ownerOf = ({ about }: Deadline) => {
    const document = about.kind === 'document' ? documents.get(about.documentId) : undefined
    const owner = document && users.get(document.createdBy)
    return owner?.state === 'active' ? owner : undefined
  }
  const alike = Map.groupBy(due, (deadline) =>
    [deadline.obligationId, deadline.dueOn, ownerOf(deadline)?.id].join(' '),
  )
  return [...alike.values()].flatMap(([first, ...others]) => {
    const notice = first && noticeAt(first.dueOn, today)
    if (!first || notice === undefined) return []
    return [{ notice, owner: ownerOf(first), deadlines: [first, ...others], documents }]
  })
}

type Warning = {
  terms: Terms
  group: Group
  today: Day
  at: Instant
}

/** @returns how many deadlines it is about; zero if another process raised it */
async function warnOf(trx: Transaction, { terms, group, today, at }: Warning): Promise<number> {
  const { notice, deadlines, owner, documents } = group
  const [first] = deadlines
  const matter = matters.deadline(first.id, first.stateSince, first.dueOn, notice)
  const noted = await noteNotice(
    trx,
    deadlines.map(({ id }) => id),
    { today, alert: matter, noticeOn: nextNoticeOn(first.dueOn, today) },
  )
  if (noted === 0) return 0
  for (const reader of readersOf(notice, owner))
    await raiseAlert(trx, {
      officeId: terms.office.id,
      userId: reader === 'owner' ? (owner?.id ?? null) : null,
      kind: isLateNotice(notice) ? 'deadline-late' : 'deadline-near',
      severity: isLateNotice(notice) ? 'danger' : 'warning',
      facts: {
        obligation: terms.obligations.get(first.obligationId)?.name ?? '',
        ...{ obligationId: first.obligationId, on: dayText(first.dueOn) },
        ...deadlineFacts(deadlines, documents),
      },
      occasion: `${matter}${reader}`,
      at,
    })
  // The earlier notices are replaced by this one.
  for (const alert of new Set(deadlines.map((deadline) => deadline.alert)))
    if (alert !== matter)
      await resolveUnneeded(trx, { officeId: terms.office.id, alert }, { at, by: null })
  return noted
}

/** The author of the documents; the administrators too when it is late, and alone if there is no author. */
function readersOf(notice: DeadlineNotice, owner: User | undefined): readonly AlertReader[] {
  if (!owner) return ['office']
  return isLateNotice(notice) ? readersOfAlertAbout(owner) : ['owner']
}
