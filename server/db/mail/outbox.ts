import { isAfterCursor } from '#server/db/after-cursor.ts'
import { countStates, MOST_COUNTED } from '#server/db/count-up-to.ts'
import { inChunks } from '#server/db/in-chunks.ts'
import type { OutboxRow } from '#server/db/tables/mail.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { unindexed } from '#server/db/unindexed.ts'
import { type MailId, OfficeId } from '#server/domain/ids.ts'
import { type Mail, type MailAttachment, MailState } from '#server/domain/mail/mail.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'
import type { Instant } from '#server/domain/time.ts'
import { toMail } from './outbox-rows.ts'

/** A mail ready for sending. */
export type QueuedMail = Pick<
  Mail,
  'id' | 'officeId' | 'kind' | 'to' | 'subject' | 'createdAt' | 'expiresAt'
> & {
  body: Exclude<Mail['body'], { kind: 'forgotten' }>
  attachments: readonly MailAttachment[]
  /** `activation:` or `signer:` followed by an id: `discardMailAbout` discards the mail once that is over. */
  about: string | null
}

/** Inserts mail that is due at once; a job sends it. */
export async function insertMails(trx: Transaction, mails: readonly QueuedMail[]): Promise<void> {
  if (mails.length === 0) return
  await trx.insertInto('outbox').values(mails.map(toRow)).execute()
}

function toRow({ to, body, attachments, ...mail }: QueuedMail): OutboxRow {
  return {
    id: mail.id,
    office_id: mail.officeId,
    kind: mail.kind,
    to_name: to.name,
    to_address: to.address,
    subject: mail.subject,
    text: body.kind === 'clear' ? body.text : null,
    html: body.kind === 'clear' ? body.html : null,
    key_version: body.kind === 'sealed' ? body.keyVersion : null,
    sealed_body: body.kind === 'sealed' ? body.bytes : null,
    attachments: attachments.length > 0 ? JSON.stringify(attachments) : null,
    about: mail.about,
    created_at: mail.createdAt,
    expires_at: mail.expiresAt,
    state: 'waiting',
    state_since: mail.createdAt,
    attempts: 0,
    next_attempt_at: mail.createdAt,
    leased_until: null,
    last_error: null,
    discarded_because: null,
  }
}

export async function findMail(db: Reader, id: MailId): Promise<Mail | undefined> {
  const row = await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toMail(row)
}

/** What became of the newest mail about a subject since a time; undefined if there is none. */
export async function findMailAbout(
  db: Reader,
  { about, since }: { about: string; since: Instant },
): Promise<MailOutcome | undefined> {
  const rows = await db
    .selectFrom('outbox')
    .select(['state', 'to_address', 'state_since', 'created_at'])
    .where('about', '=', about)
    .where(unindexed<number>('created_at'), '>=', since)
    .execute()
  const [newest] = rows.toSorted((a, b) => b.created_at - a.created_at)
  if (!newest) return undefined
  const { state, to_address: address, state_since: at } = newest
  return { state: MailState.parse(state), address, at }
}

/** Where a mail went, or is to go, and since when it is in its state. */
export type MailOutcome = { state: MailState; address: string; at: Instant }

/** The recipients of these mails, by the id of the mail. */
export async function findRecipients(
  db: Reader,
  ids: Iterable<string>,
): Promise<Map<string, { officeId: OfficeId; name: string }>> {
  const rows = await inChunks(ids, (chunk) =>
    db
      .selectFrom('outbox')
      .select(['id', 'office_id', 'to_name'])
      .where('id', 'in', chunk)
      .execute(),
  )
  return new Map(
    rows.map((row) => [row.id, { officeId: OfficeId.parse(row.office_id), name: row.to_name }]),
  )
}

export type MailFilter = {
  officeId: OfficeId
  /** Every state when absent. */
  state?: MailState | undefined
  behind?: PageCursor<MailId> | undefined
  limit: number
}

/** Newest first. */
export async function listMail(db: Reader, filter: MailFilter): Promise<Mail[]> {
  const { officeId, state, behind, limit } = filter
  let query = db.selectFrom('outbox').selectAll().where('office_id', '=', officeId)
  if (state) query = query.where('state', '=', state)
  if (behind) query = query.where(isAfterCursor(behind, 'created_at'))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toMail)
}

/** The number of mails in each state, counted up to `MOST_COUNTED`; empty states are absent. */
export const countMail = (db: Reader, officeId: OfficeId) =>
  countStates(
    db,
    MailState.options.map((state) =>
      db
        .selectFrom('outbox')
        .select('state')
        .where('office_id', '=', officeId)
        .where('state', '=', state)
        // Of the index: PostgreSQL would look for it among all mail otherwise.
        .orderBy('created_at', 'desc')
        .limit(MOST_COUNTED),
    ),
  )
