import { isAfterCursor } from '#server/db/after-cursor.ts'
import type { OutboxRow } from '#server/db/tables/mail.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { MailId, OfficeId } from '#server/domain/ids.ts'
import { type Mail, type MailAttachment, MailState } from '#server/domain/mail/mail.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'
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

/** Mails are counted up to this number: a count of all would read them all. */
export const MOST_COUNTED = 1000

/** The number of mails in each state, at most `MOST_COUNTED` of each; empty states are absent. */
export async function countMail(
  db: Reader,
  officeId: OfficeId,
): Promise<Partial<Record<MailState, number>>> {
  const counts: [MailState, number][] = []
  for (const state of MailState.options) {
    const counted = db
      .selectFrom('outbox')
      .select('id')
      .where('office_id', '=', officeId)
      .where('state', '=', state)
      .limit(MOST_COUNTED)
    const { count } = await db
      .selectFrom(counted.as('counted'))
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) > 0) counts.push([state, Number(count)])
  }
  return Object.fromEntries(counts)
}
