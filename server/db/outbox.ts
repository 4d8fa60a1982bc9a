import { randomUUID } from 'node:crypto'
import type { Email } from '#server/domain/identity/email.ts'
import { MailId, type OfficeId } from '#server/domain/ids.ts'
import { composeMail } from '#server/domain/mail/compose-mail.ts'
import type { MailFacts, OpenMailFacts, SecretMailFacts } from '#server/domain/mail/facts.ts'
import {
  type DiscardReason,
  MAIL_LIFETIME,
  Mail,
  type MailAttachment,
  type MailState,
  placeOfMailBody,
} from '#server/domain/mail/mail.ts'
import { oneLine } from '#server/domain/one-line.ts'
import { after, type Instant, minutes } from '#server/domain/time.ts'
import { findOffice } from './offices.ts'
import type { OutboxRow } from './tables/mail.ts'
import type { Reader, Transaction } from './transaction.ts'

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

/** Longer than any attempt lasts: when it ends, whoever had it is gone. */
const LEASE = minutes(5)

/**
 * Takes the mail that has waited longest for its turn, for this caller alone: nobody else is given it before the
 * lease ends. What has expired is left.
 */
export async function claimDueMail(trx: Transaction, now: Instant): Promise<Mail | undefined> {
  const due = await trx
    .selectFrom('outbox')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '<=', now)
    .where('expires_at', '>', now)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(CANDIDATES)
    .execute()
  for (const row of due) {
    const lease = { attempts: row.attempts + 1, leased_until: after(now, LEASE) }
    const { numUpdatedRows } = await trx
      .updateTable('outbox')
      .set(lease)
      .where('id', '=', row.id)
      .where('state', '=', 'waiting')
      .where('next_attempt_at', '<=', now)
      .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 1n) return toMail({ ...row, ...lease })
  }
}

/* Of several processes that look at once each finds one that the others have not taken. */
const CANDIDATES = 20

/** How an attempt ended. */
export type AttemptEnd =
  | { state: 'sent' }
  | { state: 'waiting'; nextAttemptAt: Instant; error: string }
  | { state: 'failed'; error: string }

/**
 * Writes how an attempt ended. False when the mail was discarded meanwhile, or was given to somebody else because
 * the lease had ended; that it was sent is written even then.
 */
export async function finishMail(
  trx: Transaction,
  mail: Pick<Mail, 'id' | 'leasedUntil'>,
  end: AttemptEnd,
  at: Instant,
): Promise<boolean> {
  const update = trx.updateTable('outbox').where('id', '=', mail.id)
  const ended =
    end.state === 'sent'
      ? update
          .set({ ...SENT, state_since: at, ...UNLEASED, ...FORGOTTEN })
          .where('state', '!=', 'sent')
      : update
          .set({
            last_error: end.error,
            ...UNLEASED,
            ...(end.state === 'failed'
              ? { state: 'failed', state_since: at }
              : { next_attempt_at: end.nextAttemptAt }),
          })
          .where('state', '=', 'waiting')
          .where('leased_until', '=', mail.leasedUntil)
  const { numUpdatedRows } = await ended.executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/* No secret outlives its use. A body without a secret stays, for whoever wants to know what was written. */
const FORGOTTEN = { key_version: null, sealed_body: null }
const UNLEASED = { leased_until: null }
const SENT = { state: 'sent', last_error: null, discarded_because: null }

const discarded = (because: DiscardReason, at: Instant) => ({
  state: 'discarded',
  state_since: at,
  discarded_because: because,
  ...FORGOTTEN,
})

/**
 * Takes back whatever is not sent and is about something that is over, and forgets the secrets in it.
 *
 * @param about `activation:` or `signer:` and their ids
 */
export async function discardMailAbout(
  trx: Transaction,
  about: readonly string[],
  because: DiscardReason,
  at: Instant,
): Promise<void> {
  if (about.length === 0) return
  await trx
    .updateTable('outbox')
    .set(discarded(because, at))
    .where('about', 'in', about)
    .where('state', 'in', ['waiting', 'failed'])
    .execute()
}

/** Takes back what nobody sent in time, and forgets the secrets in it. Returns how many that were. */
export async function discardExpiredMail(trx: Transaction, now: Instant): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set(discarded('expired', now))
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', now)
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('outbox')
    .set(FORGOTTEN)
    .where('sealed_body', 'is not', null)
    .where('expires_at', '<=', now)
    .execute()
  return Number(numUpdatedRows)
}

export async function findMail(db: Reader, id: MailId): Promise<Mail | undefined> {
  const row = await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toMail(row)
}

/** Where a page of the list ends; the next one begins behind it. */
export type MailCursor = { createdAt: Instant; id: MailId }

export type MailFilter = {
  officeId: OfficeId
  states: readonly MailState[]
  behind?: MailCursor | undefined
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
  if (behind)
    query = query.where((eb) =>
      eb(
        eb.refTuple('created_at', 'id'),
        '<',
        eb.tuple(behind.createdAt as number, behind.id as string),
      ),
    )
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

/** Compare-and-swap: false when it is neither waiting nor failed, or is being sent right now. */
export async function discardMail(trx: Transaction, id: MailId, at: Instant): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set(discarded('by-hand', at))
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'failed'])
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', at)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Lets it be tried at once, as if it had never been tried. Compare-and-swap: false when it was sent or
 * discarded, has expired, or is being sent right now.
 */
export async function retryMail(trx: Transaction, id: MailId, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set({ state: 'waiting', state_since: now, attempts: 0, next_attempt_at: now })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'failed'])
    .where('expires_at', '>', now)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function toMail(row: OutboxRow): Mail {
  return Mail.parse({
    id: row.id,
    officeId: row.office_id,
    kind: row.kind,
    to: { name: row.to_name, address: row.to_address },
    subject: row.subject,
    body: bodyOf(row),
    attachments: JSON.parse(row.attachments ?? '[]'),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    state: row.state,
    stateSince: row.state_since,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    leasedUntil: row.leased_until,
    lastError: row.last_error,
    discardedBecause: row.discarded_because,
  })
}

function bodyOf({ text, html, key_version, sealed_body }: OutboxRow): Mail['body'] {
  if (text !== null && html !== null) return { kind: 'clear', text, html }
  if (key_version !== null && sealed_body !== null)
    return { kind: 'sealed', keyVersion: key_version, bytes: Uint8Array.from(sealed_body) }
  return { kind: 'forgotten' }
}
