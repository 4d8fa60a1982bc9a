import type { RecordedEvent } from '#server/db/audit/audit-events.ts'
import { findDocuments } from '#server/db/documents/documents.ts'
import { findRecipients } from '#server/db/mail/outbox.ts'
import { findUsers } from '#server/db/people/users.ts'
import { findKnownParties } from '#server/db/signing-sessions/parties.ts'
import { findSigningSessions } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Reader } from '#server/db/transaction.ts'
import { type NamedSubject, namedSubjectOf } from '#server/domain/audit/named-subject.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { DocumentId, OfficeId, PartyId, SigningSessionId, UserId } from '#server/domain/ids.ts'
import { type Action, isAllowed } from '#server/domain/policy/authorize.ts'
import { listedDocument } from '#server/steps/documents/listed-document.ts'
import { quoted } from '#server/words/quoted.ts'

/** An event with what it is about; undefined if it is about nothing that has a name. */
export type NamedEvent = RecordedEvent & { about: NamedSubject | undefined }

type Row = { officeId: OfficeId; name: string }

/** The roles that see these names elsewhere; the other kinds are named to everyone who reads the log. */
const SEEN_WITH: Partial<Record<NamedSubject['kind'], Action>> = {
  party: 'signing-sessions.manage',
  mail: 'mail.read',
}

/**
 * Names what each event is about, as it is called today; only of the reader's office, and only names that the reader may see.
 * One query for each kind of subject, however many events there are.
 */
export async function nameSubjects(
  db: Reader,
  { officeId, roles }: Pick<Person, 'officeId' | 'roles'>,
  events: readonly RecordedEvent[],
): Promise<NamedEvent[]> {
  const isSeen = ({ kind }: NamedSubject) => {
    const action = SEEN_WITH[kind]
    return !action || isAllowed(roles, action)
  }
  const all = events.map(namedSubjectOf)
  const subjects = all.map((one) => (one && !isSeen(one) ? undefined : one))
  const idsOf = (kind: NamedSubject['kind']) =>
    subjects.flatMap((subject) => (subject?.kind === kind ? [subject.id] : []))
  const rows = new Map<NamedSubject['kind'], ReadonlyMap<string, Row>>([
    ['document', await documentsOf(db, roles, idsOf('document') as DocumentId[])],
    ['user', await peopleOf(db, idsOf('user') as UserId[])],
    ['signing-session', await sessionsOf(db, idsOf('signing-session') as SigningSessionId[])],
    ['party', rowsOf(await findKnownParties(db, idsOf('party') as PartyId[]), ({ name }) => name)],
    ['mail', await findRecipients(db, idsOf('mail'))],
  ])
  return events.map((event, index) => {
    const subject = all[index]
    if (!subject || !isSeen(subject))
      return { ...event, about: subject && { ...subject, name: null } }
    const row = rows.get(subject.kind)?.get(subject.id)
    const name = row?.officeId === officeId ? row.name : subject.name
    return { ...event, about: { ...subject, name } }
  })
}

const documentsOf = async (db: Reader, roles: Person['roles'], ids: readonly DocumentId[]) =>
  rowsOf(await findDocuments(db, ids), (document) => {
    const { folio, title } = listedDocument({ roles }, document)
    return `${folio} ${quoted(title)}`
  })

const peopleOf = async (db: Reader, ids: readonly UserId[]) =>
  rowsOf(await findUsers(db, ids), fullName)

const sessionsOf = async (db: Reader, ids: readonly SigningSessionId[]) =>
  rowsOf(await findSigningSessions(db, ids), ({ title }) => quoted(title))

const rowsOf = <Found extends { officeId: OfficeId }>(
  found: ReadonlyMap<string, Found>,
  nameOf: (one: Found) => string,
): Map<string, Row> =>
  new Map([...found].map(([id, one]) => [id, { officeId: one.officeId, name: nameOf(one) }]))
