import { listSeries } from '#server/db/documents/numbers/number-series.ts'
import { listChangedDocuments } from '#server/db/reports/changed-documents.ts'
import {
  type CountedEvent,
  lastEventsAbout,
  listCountedEvents,
  listRepeatedEvents,
} from '#server/db/reports/counted-events.ts'
import { listCountedNumbers } from '#server/db/reports/counted-numbers.ts'
import { listCountedCertificates } from '#server/db/reports/ending-certificates.ts'
import { listRequestedConstancias } from '#server/db/reports/requested-constancias.ts'
import type { Stretch } from '#server/db/reports/stretch.ts'
import { listUploadedActs, listUploadedDocuments } from '#server/db/reports/uploaded-documents.ts'
import type { Reader } from '#server/db/transaction.ts'
import { UserId } from '#server/domain/ids.ts'
import {
  ACCESSES,
  type AccessCounts,
  type AccessName,
  countAccess,
  noAccesses,
} from '#server/domain/reports/access-counts.ts'
import { type ActCounts, countAct, noActs } from '#server/domain/reports/act-counts.ts'
import {
  ACTIVITIES,
  type ActivityCounts,
  type ActivityName,
  type CountedActivity,
  countActivity,
  noActivity,
} from '#server/domain/reports/activity-counts.ts'
import { countCertificate, noCertificates } from '#server/domain/reports/certificate-counts.ts'
import { countConstancia, noConstancias } from '#server/domain/reports/constancia-counts.ts'
import type { CountsOf } from '#server/domain/reports/counted-report.ts'
import { countDocument, noDocuments } from '#server/domain/reports/document-counts.ts'
import { countNumbers, type NumberCounts, noNumbers } from '#server/domain/reports/number-counts.ts'
import {
  countSession,
  countSigned,
  noTimes,
  type SigningTimes,
} from '#server/domain/reports/signing-times.ts'
import { milliseconds } from '#server/domain/time.ts'
import { type Counting, inParts, partOf, type Scope } from './counting.ts'

/** The documents that were completed: others came into their state at these times, too. */
const signedDocuments = partOf(listChangedDocuments, (counts: SigningTimes, document, scope) => {
  if (document.state === 'signed')
    countSigned(counts, { ...document, signedAt: document.at }, scope.monthOf)
})

const endedSessions = partOf(listEndedSessions, (counts: SigningTimes, { at, openedAt }) => {
  if (openedAt !== undefined) countSession(counts, milliseconds(at - openedAt))
})

const activities = (Object.keys(ACTIVITIES) as ActivityName[]).map((name) =>
  partOf(
    (db, stretch: Stretch<number>) => listCountedEvents(db, ACTIVITIES[name], stretch),
    (counts: ActivityCounts, event, scope) =>
      countActivity(counts, { name, by: actorOf(event, scope), month: scope.monthOf(event.at) }),
  ),
)

const accesses = (Object.keys(ACCESSES) as AccessName[]).flatMap((name) =>
  ACCESSES[name].map((action) =>
    partOf(
      (db, stretch: Stretch<number>) =>
        name === 'refused'
          ? listRepeatedEvents(db, action, stretch)
          : listSingleEvents(db, action, stretch),
      (counts: AccessCounts, event, scope) => {
        const { at, times } = event
        const person = personOf(event, scope)
        countAccess(counts, { name, person, day: scope.dayOf(at), times })
      },
    ),
  ),
)

/** How each report counts. */
export const COUNTINGS: { readonly [K in keyof CountsOf]: Counting<CountsOf[K]> } = {
  documents: inParts(noDocuments, [
    partOf(listUploadedDocuments, (counts, document, { monthOf }) =>
      countDocument(counts, document, monthOf),
    ),
  ]),
  acts: inParts(noActs, [
    partOf(listUploadedActs, (counts: ActCounts, { act, state }) => countAct(counts, act, state)),
  ]),
  times: inParts(noTimes, [signedDocuments, endedSessions]),
  activity: inParts(noActivity, activities),
  accesses: inParts(noAccesses, accesses),
  certificates: inParts(noCertificates, [
    partOf(listCountedCertificates, (counts, certificate, { monthOf }) =>
      countCertificate(counts, certificate, monthOf),
    ),
  ]),
  numbers: { none: noNumbers, step: countSeries },
  constancias: inParts(noConstancias, [
    partOf(listRequestedConstancias, (counts, constancia, { monthOf }) =>
      countConstancia(counts, constancia, monthOf),
    ),
  ]),
}

/** A series is a part: the office has few. */
async function countSeries(
  db: Reader,
  { officeId }: Scope,
  counts: NumberCounts,
  { place: { part, behind }, limit }: Parameters<Counting<NumberCounts>['step']>[3],
) {
  const all = await listSeries(db, officeId)
  const series = all[part]
  if (!series) return { read: 0, next: undefined }
  const of = { officeId, seriesId: series.id }
  const lines = await listCountedNumbers(db, of, { behind: behind?.at ?? 0, limit })
  for (const line of lines) countNumbers(counts, series, line)
  const last = lines.at(-1)
  if (last && lines.length >= limit)
    return { read: lines.length, next: { part, behind: { at: last.first, id: 0 } } }
  const isOver = part + 1 >= all.length
  return { read: lines.length, next: isOver ? undefined : { part: part + 1, behind: undefined } }
}

/** Sessions that were completed, with the time when they were last opened. */
async function listEndedSessions(db: Reader, stretch: Stretch<number>) {
  const ended = await listCountedEvents(db, 'signing-session.completed', stretch)
  const ids = ended.flatMap(({ subjectId }) => subjectId ?? [])
  const opened = await lastEventsAbout(db, 'signing-session.opened', ids)
  return ended.map((event) => ({ ...event, openedAt: opened.get(event.subjectId ?? '') }))
}

async function listSingleEvents(...asked: Parameters<typeof listCountedEvents>) {
  return (await listCountedEvents(...asked)).map((event) => ({ ...event, times: 1 }))
}

/** An id that is no user's belongs to an external signer. */
function actorOf({ actor }: CountedEvent, { people }: Scope): CountedActivity['by'] {
  if (actor === 'system' || actor === 'anonymous') return { kind: 'system' }
  const id = UserId.safeParse(actor).data
  return id && people.has(id) ? { kind: 'person', id } : { kind: 'guest' }
}

/** Who acted; of a stranger's failed attempt, whose account it was. */
function personOf({ actor, subjectId }: CountedEvent, { people }: Scope): UserId | undefined {
  const ids = [actor, subjectId].map((id) => UserId.safeParse(id).data)
  return ids.find((id) => id && people.has(id))
}
