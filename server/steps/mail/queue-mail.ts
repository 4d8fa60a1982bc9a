import { randomUUID } from 'node:crypto'
import { insertMails, type QueuedMail } from '#server/db/mail/outbox.ts'
import { findOffices } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Email } from '#server/domain/identity/email.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { MailId, type OfficeId } from '#server/domain/ids.ts'
import type { MailFacts, OpenMailFacts, SecretMailFacts } from '#server/domain/mail/facts.ts'
import { MAIL_LIFETIME, type MailAttachment, placeOfMailBody } from '#server/domain/mail/mail.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { after, earliest, type Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { composeMail } from '#server/words/mail/compose-mail.ts'

/** A mail to be composed and queued. */
export type NewMail<Facts extends MailFacts = OpenMailFacts> = {
  officeId: OfficeId
  to: { name: string; address: Email }
  facts: Facts
  at: Instant
  /** When an unsent mail is discarded; 30 days from now by default. */
  expiresAt?: Instant
  /** The attached documents; they must pass `fitIntoMail`. */
  attachments?: readonly MailAttachment[]
  /** `activation:`, `signer:` or `rejection:` followed by an id: `discardMailAbout` discards the mail once that is over. */
  about?: string
}

/** A mail with a secret link or code. */
export type NewSealedMail = NewMail<SecretMailFacts>

/** Queues a mail in the transaction of the event that it reports. A job sends it. */
export async function queueMail(trx: Transaction, mail: NewMail): Promise<MailId> {
  return onlyOne(await queueMails(trx, [mail]))
}

/** The same for several mails; returns their ids in the same order. */
export async function queueMails(trx: Transaction, mails: readonly NewMail[]): Promise<MailId[]> {
  const queued = await compose(trx, mails, ({ text, html }) => ({ kind: 'clear', text, html }))
  await insertMails(trx, queued)
  return queued.map(({ id }) => id)
}

/** Queues a mail with a secret link or code. Its body is sealed, and erased once it is sent, expired or discarded. */
export async function queueSealedMail(
  trx: Transaction,
  vault: System['vault'],
  mail: NewSealedMail,
): Promise<MailId> {
  return onlyOne(await queueSealedMails(trx, vault, [mail]))
}

/** The same for several mails; returns their ids in the same order. */
export async function queueSealedMails(
  trx: Transaction,
  vault: System['vault'],
  mails: readonly NewSealedMail[],
): Promise<MailId[]> {
  const expiring = mails.map((mail) => ({ ...mail, expiresAt: expiryOf(mail) }))
  const queued = await compose(trx, expiring, (body, id) => {
    const plain = new TextEncoder().encode(JSON.stringify(body))
    return { kind: 'sealed', ...vault.seal(plain, placeOfMailBody(id)) }
  })
  await insertMails(trx, queued)
  return queued.map(({ id }) => id)
}

/* A mail is useless after its link or code expires. */
function expiryOf({ facts, expiresAt }: NewSealedMail): Instant {
  const over = facts.kind === 'rejection-code' ? facts.codeExpiresAt : facts.linkExpiresAt
  return earliest(over, expiresAt ?? over)
}

async function compose(
  trx: Transaction,
  mails: readonly NewMail<MailFacts>[],
  bodyOf: (body: { text: string; html: string }, id: MailId) => QueuedMail['body'],
): Promise<QueuedMail[]> {
  const offices = await findOffices(
    trx,
    mails.map(({ officeId }) => officeId),
  )
  return mails.map((mail) => {
    const office = offices.get(mail.officeId)
    if (!office) throw new Error(`no office ${mail.officeId}`)
    return composeOne(mail, office, bodyOf)
  })
}

function composeOne(
  mail: NewMail<MailFacts>,
  office: Office,
  bodyOf: Parameters<typeof compose>[2],
): QueuedMail {
  const { officeId, to, facts, at, expiresAt, attachments, about } = mail
  const id = MailId.parse(randomUUID())
  const { subject, text, html } = composeMail(facts, {
    toName: to.name,
    office: office.name,
    timeZone: office.timeZone,
  })
  return {
    id,
    officeId,
    kind: facts.kind,
    to: { name: shownText(to.name, 200), address: to.address },
    subject,
    body: bodyOf({ text, html }, id),
    attachments: attachments ?? [],
    about: about ?? null,
    createdAt: at,
    expiresAt: expiresAt ?? after(at, MAIL_LIFETIME),
  }
}

function onlyOne([id]: readonly MailId[]): MailId {
  if (!id) throw new Error('one mail, one id')
  return id
}
