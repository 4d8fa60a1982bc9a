import { findCurrentDocuments } from '#server/db/documents/current-documents.ts'
import { findDocuments } from '#server/db/documents/documents.ts'
import { findUser } from '#server/db/people/users.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { publicAddressOf } from '#server/domain/documents/public-address.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { fitIntoMail, type MailAttachment } from '#server/domain/mail/mail.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import { expiryOfLink } from '#server/domain/signing/session/signing-link.ts'
import type { Instant } from '#server/domain/time.ts'
import { queueMail, queueMails, queueSealedMails } from '#server/steps/mail/queue-mail.ts'
import {
  aboutSigner,
  factsOfSession,
  linksFor,
  listReached,
  type Notifying,
  type ReachedSigner,
} from '#server/steps/signing/notify-signers.ts'

/**
 * Mails the author and the signers of a completed session. Each signer gets a copy: attached if the documents fit into
 * mail, else in Rúbrica or by a personal link.
 */
export async function notifyCompletion(
  trx: Transaction,
  notifying: Notifying,
  ceremony: Ceremony,
  at: Instant,
): Promise<void> {
  const { session, signers } = ceremony
  const { publicOrigin } = notifying.settings
  const attachments = await copiesOf(trx, ceremony)
  const { named, numbered } = await factsOfSession(trx, ceremony)
  const facts = {
    kind: 'signing-completed',
    verdicts: await pagesOf(trx, ceremony, publicOrigin),
  } as const
  const page = `${publicOrigin}/dashboard/signing/${session.id}`
  const about = { officeId: session.officeId, at }
  const mail = { ...about, ...(attachments && { attachments }) }

  const signed = signers.filter(({ state }) => state === 'signed')
  const reached = await listReached(trx, signed)
  const external = reached.filter(({ signer }) => signer.userId === null)
  // A user may be named twice.
  const users = new Map(
    reached.flatMap((one) => (one.signer.userId === null ? [] : [[one.signer.userId, one]])),
  )
  const copy = attachments ? 'attached' : 'in-rubrica'
  await queueMails(
    trx,
    [...users.values()].map((one) => ({
      ...mail,
      ...{ to: to(one), facts: { ...facts, ...numbered, copy, page } },
    })),
  )
  const author = await findUser(trx, session.createdBy)
  // The signed file names its parties, so it is mailed only to those who signed it.
  if (author && !users.has(author.id))
    await queueMail(trx, {
      ...{ ...about, to: { name: fullName(author), address: author.email } },
      facts: { ...facts, ...numbered, copy: 'none', page },
    })
  if (attachments)
    await queueMails(
      trx,
      external.map((one) => ({
        ...mail,
        to: to(one),
        facts: { ...facts, ...named, copy: 'attached' },
      })),
    )
  else {
    // Their open link keeps working until they open this one.
    const request = { by: session.createdBy, at, expiresAt: expiryOfLink(at, null) }
    const links = await linksFor(trx, notifying, external, { ...request, ends: 'unopened' })
    await queueSealedMails(
      trx,
      notifying.vault,
      links.map(({ secret, ...one }) => ({
        ...mail,
        to: to(one),
        about: aboutSigner(one.signer),
        facts: { ...facts, ...named, ...secret },
      })),
    )
  }
}

const to = ({ signer, address }: ReachedSigner) => ({ name: signer.name, address })

/** The public page of each document, in session order. */
async function pagesOf(
  trx: Transaction,
  { documents }: Ceremony,
  publicOrigin: string,
): Promise<(string | null)[]> {
  const found = await findDocuments(
    trx,
    documents.map(({ id }) => id),
  )
  return documents.map(({ id }) => {
    const document = found.get(id)
    return document ? (publicAddressOf(publicOrigin, document)?.url ?? null) : null
  })
}

/** The signed documents; undefined if they are too large for one mail. */
async function copiesOf(
  trx: Transaction,
  { documents }: Ceremony,
): Promise<MailAttachment[] | undefined> {
  const found = await findCurrentDocuments(
    trx,
    documents.map(({ id }) => id),
  )
  const copies = documents.flatMap(({ id }) => found.get(id)?.version ?? [])
  if (copies.length < documents.length) return undefined
  if (!fitIntoMail(copies.map(({ bytes }) => bytes))) return undefined
  return copies.map(({ documentId, version }) => ({ documentId, version }))
}
