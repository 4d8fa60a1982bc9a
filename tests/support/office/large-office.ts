import type { Database } from '#server/db/database.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Instant } from '#server/domain/time.ts'
import { deadlineRows } from './deadline-rows.ts'
import { fillAlerts } from './filled-alerts.ts'
import { fillLog } from './filled-log.ts'
import { accountRows } from './large-accounts.ts'
import { documentRows } from './large-documents.ts'
import { sessionRows } from './large-sessions.ts'
import { yubikeyRows } from './large-yubikeys.ts'
import { insertInStretches, withoutIndexes } from './many-rows.ts'

/** What an office has collected over the years. */
export type Growth = {
  office: Office
  /** Authors, signers and actors, in turn. */
  people: readonly User[]
  documents: number
  events: number
  /** The document with a quarter of the events. */
  busyDocument: string
  /** Nothing is younger. */
  now: Instant
}

/** Documents that are inserted together. */
const STRETCH = 2000

/**
 * Adds the rows of many years to each table that grows: documents with their versions, signatures, certificates,
 * judgements, proofs, constancias and mail, one session for ten of them, sign-ins, alerts and the log, whose leaves are
 * true. There are no files behind the rows.
 */
export async function growOffice(db: Database, growth: Growth): Promise<void> {
  const officeKey = await findOfficeKey(db, growth)
  await withoutIndexes(db, async () => {
    await insertInStretches(
      db,
      growth.documents,
      (start, end) => {
        const documents = documentRows(growth, officeKey, start, end)
        const deadlines = deadlineRows(documents.documents, growth.now)
        return { ...documents, ...sessionRows(growth, start, documents.documents), deadlines }
      },
      STRETCH,
    )
    await insertInStretches(
      db,
      growth.documents,
      (start, end) => ({ ...accountRows(growth, start, end), ...yubikeyRows(growth, start, end) }),
      STRETCH,
    )
    await fillAlerts(db, growth.people, Math.ceil(growth.documents / 5))
    const { people, events, busyDocument, now } = growth
    await fillLog(db, people, events, { busyDocument, end: now })
  })
}

/** The key of the files that the office has. */
async function findOfficeKey(db: Database, { office }: Growth): Promise<string> {
  const { id } = await db
    .selectFrom('office_keys')
    .select('id')
    .where('office_id', '=', office.id)
    .executeTakeFirstOrThrow()
  return id
}
