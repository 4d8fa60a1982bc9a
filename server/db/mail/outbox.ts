import { randomUUID } from 'node:crypto'
import { isBehind } from '#server/db/behind-cursor.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { OutboxRow } from '#server/db/tables/mail.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Email } from '#server/domain/identity/email.ts'
import { MailId, type OfficeId } from '#server/domain/ids.ts'
import type { MailFacts, OpenMailFacts, SecretMailFacts } from '#server/domain/mail/facts.ts'
import {
  MAIL_LIFETIME,
  type Mail,
  type MailAttachment,
  type MailState,
  placeOfMailBody,
} from '#server/domain/mail/mail.ts'
import { oneLine } from '#server/domain/one-line.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'
import { after, type Instant } from '#server/domain/time.ts'
import { composeMail } from '#server/words/mail/compose-mail.ts'
import { toMail } from './outbox-rows.ts'

/** A mail as a use case asks for it. */
export type NewMail<Facts extends MailFacts = OpenMailFacts> = {
  officeId: OfficeId
  to: { name: string; address: Email }
  facts: Facts
  at: Instant
  /** From then on it is not sent any more; 30 days from now when absent. */
  expiresAt?: Instant
  /** The documents that go along; only such as `fitIntoMail`. */
  attachments?: readonly MailAttachment[]
  /** `activation:` or `signer:` and its id: `discardMailAbout` takes it back once that is over. */
  about?: string
}

/** What seals the bodies: the vault. */
type Sealer = {
  seal(plain: Uint8Array, place: string): { keyVersion: number; bytes: Uint8Array }
}

/** Puts a mail into the outbox, in the same transaction as what it tells of. A job sends it. */
export async function insertMail(trx: Transaction, mail: NewMail): Promise<MailId> {
  const id = MailId.parse(randomUUID())
  const { subject, text, html } = await composed(trx, mail)
  await insert(trx, { ...rowOf(id, mail), subject, text, html })
  return id
}

/**
 * Puts a mail with a link that opens something into the outbox. Its body is sealed, and forgotten as soon
 * as it is sent, has expired, or is discarded.
 */
export async function insertSealedMail(
  trx: Transaction,
  vault: Sealer,
  mail: NewMail<SecretMailFacts>,
): Promise<MailId> {
  const id = MailId.parse(randomUUID())
  const { subject, text, html } = await composed(trx, mail)
  const plain = new TextEncoder().encode(JSON.stringify({ text, html }))
  const { keyVersion, bytes } = vault.seal(plain, placeOfMailBody(id))
  const expiresAt = Math.min(mail.facts.linkExpiresAt, mail.expiresAt ?? mail.facts.linkExpiresAt)
  await insert(trx, {
    ...rowOf(id, mail),
    subject,
    key_version: keyVersion,
    sealed_body: bytes,
    expires_at: expiresAt,
  })
  return id
}

async function composed(trx: Transaction, { officeId, to, facts }: NewMail<MailFacts>) {
  const office = await findOffice(trx, officeId)
  if (!office) throw new Error(`no office ${officeId}`)
  return composeMail(facts, { toName: to.name, office: office.name, timeZone: office.timeZone })
}

async function insert(trx: Transaction, row: OutboxRow): Promise<void> {
  await trx.insertInto('outbox').values(row).execute()
}

function rowOf(id: MailId, mail: NewMail<MailFacts>): Omit<OutboxRow, 'subject'> {
  return {
    id,
    office_id: mail.officeId,
    kind: mail.facts.kind,
    to_name: oneLine(mail.to.name, 200),
    to_address: mail.to.address,
    text: null,
    html: null,
    key_version: null,
    sealed_body: null,
    attachments: mail.attachments ? JSON.stringify(mail.attachments) : null,
    about: mail.about ?? null,
    created_at: mail.at,
    expires_at: mail.expiresAt ?? after(mail.at, MAIL_LIFETIME),
    state: 'waiting',
    state_since: mail.at,
    attempts: 0,
    next_attempt_at: mail.at,
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
  states: readonly MailState[]
  behind?: PageCursor<MailId> | undefined
  limit: number
}

/** The newest first. */
export async function listMail(db: Reader, filter: MailFilter): Promise<Mail[]> {
  const { officeId, states, behind, limit } = filter
  let query = db
    .selectFrom('outbox')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('state', 'in', states)
  if (behind) query = query.where(isBehind(behind, 'created_at'))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toMail)
}

/** How many stand in each state; states without any are absent. */
export async function countMail(
  db: Reader,
  officeId: OfficeId,
): Promise<Partial<Record<MailState, number>>> {
  const rows = await db
    .selectFrom('outbox')
    .select(({ fn }) => ['state', fn.countAll<number | string>().as('count')])
    .where('office_id', '=', officeId)
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
}
