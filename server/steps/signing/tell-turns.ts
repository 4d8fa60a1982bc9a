import { findDocument } from '#server/db/documents/documents.ts'
import { insertMail, insertSealedMail } from '#server/db/mail/outbox.ts'
import { discardMailAbout } from '#server/db/mail/outbox-discarding.ts'
import { findUser } from '#server/db/people/users.ts'
import { insertSigningLink } from '#server/db/signing-sessions/signing-links.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Email } from '#server/domain/identity/email.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { SignerId } from '#server/domain/ids.ts'
import { type Ceremony, signersInTurn } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { expiryOfLink, signingLinkAddress } from '#server/domain/signing/session/signing-link.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

/** What writing to signers takes. */
export type Telling = Pick<System, 'vault' | 'settings'>

/** What every mail about a session says. */
export async function factsOfSession(trx: Transaction, { session, documents }: Ceremony) {
  const titles: string[] = []
  for (const { id } of documents) {
    const document = await findDocument(trx, id)
    if (document) titles.push(document.title)
  }
  return { title: session.title, documents: titles }
}

/**
 * Writes to those who can sign since `before`, and could not until then. In the same transaction as what
 * gave them their turn: whoever is waited for has been told.
 */
export async function tellNewTurns(
  trx: Transaction,
  telling: Telling,
  before: Ceremony | undefined,
  after: Ceremony,
  at: Instant,
): Promise<void> {
  const had = new Set<SignerId>(before ? signersInTurn(before).map(({ id }) => id) : [])
  for (const signer of signersInTurn(after))
    if (!had.has(signer.id)) await tellSigner(trx, telling, after, signer, 'signing-turn', at)
}

/**
 * Writes to one signer that the session waits for them. Somebody from outside gets a link of their own: one that they
 * did not open yet opens nothing any more, and what they have open goes on until they open this one.
 *
 * @returns whether there is an address to write to
 */
export async function tellSigner(
  trx: Transaction,
  telling: Telling,
  ceremony: Ceremony,
  signer: Signer,
  kind: 'signing-turn' | 'signing-reminder',
  at: Instant,
): Promise<boolean> {
  const { session } = ceremony
  const { publicOrigin } = telling.settings
  const address = await addressOf(trx, signer)
  if (!address) return false
  const author = await findUser(trx, session.createdBy)
  const facts = {
    ...(await factsOfSession(trx, ceremony)),
    by: author ? fullName(author) : '',
    message: session.message,
    deadline: session.deadline,
  }
  const about = aboutSigner(signer)
  const mail = { officeId: session.officeId, to: { name: signer.name, address }, at, about }
  await discardMailAbout(trx, [about], 'newer-mail', at)
  if (signer.userId) {
    const page = `${publicOrigin}/dashboard/signing/${session.id}`
    await insertMail(trx, { ...mail, facts: { ...facts, kind, page } })
    return true
  }
  const link = await insertSigningLink(trx, {
    signerId: signer.id,
    by: session.createdBy,
    at,
    expiresAt: expiryOfLink(at, session.deadline),
    ends: 'when-opened',
  })
  await insertSealedMail(trx, telling.vault, {
    ...mail,
    facts: {
      ...facts,
      kind: kind === 'signing-turn' ? 'signing-invitation' : kind,
      secretLink: signingLinkAddress(publicOrigin, link.code),
      linkExpiresAt: link.expiresAt,
    },
  })
  return true
}

/** By which a mail to a signer that still waits is taken back: nobody asks them any more, or its link is over. */
export const aboutSigner = ({ id }: Pick<Signer, 'id'>) => `signer:${id}`

/** Where mail reaches a signer; undefined when it does not. */
export async function addressOf(
  trx: Transaction,
  { userId, email }: Signer,
): Promise<Email | undefined> {
  if (!userId) return email ?? undefined
  return (await findUser(trx, userId))?.email
}
