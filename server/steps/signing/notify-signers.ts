import { findDocuments } from '#server/db/documents/documents.ts'
import { discardMailAbout } from '#server/db/mail/outbox-discarding.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUser, findUsers } from '#server/db/people/users.ts'
import { beginTurns } from '#server/db/signing-sessions/reminders.ts'
import { insertSigningLinks, type LinkRequest } from '#server/db/signing-sessions/signing-links.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Email } from '#server/domain/identity/email.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { SignerId } from '#server/domain/ids.ts'
import type { NamedFacts, NumberedFacts } from '#server/domain/mail/facts.ts'
import { type Ceremony, signersInTurn } from '#server/domain/signing/session/ceremony.ts'
import { nextReminder } from '#server/domain/signing/session/reminders.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { expiryOfLink, signingLinkAddress } from '#server/domain/signing/session/signing-link.ts'
import type { Instant } from '#server/domain/time.ts'
import { queueMails, queueSealedMails } from '#server/steps/mail/queue-mail.ts'
import type { System } from '#server/system.ts'

/** The dependencies to notify signers. */
export type Notifying = Pick<System, 'vault' | 'settings'>

/** What a session signs, for a mail to external signers, and for one to staff. */
export async function factsOfSession(
  trx: Transaction,
  { session, documents }: Ceremony,
): Promise<{ named: NamedFacts; numbered: NumberedFacts }> {
  const ids = documents.map(({ id }) => id)
  const byId = await findDocuments(trx, ids)
  const found = ids.flatMap((id) => byId.get(id) ?? [])
  return {
    named: { title: session.title, documents: found.map(({ title }) => title) },
    numbered: { numbered: found.map(({ folio, kind }) => ({ folio, kind })) },
  }
}

/**
 * Mails the signers whose turn came between `before` and `after`, in the transaction of that change, so that no
 * signer is awaited without notice. Their automatic reminders count from now.
 */
export async function notifyNewTurns(
  trx: Transaction,
  notifying: Notifying,
  before: Ceremony | undefined,
  after: Ceremony,
  at: Instant,
): Promise<void> {
  const had = new Set<SignerId>(before ? signersInTurn(before).map(({ id }) => id) : [])
  const signers = signersInTurn(after).filter(({ id }) => !had.has(id))
  await scheduleReminders(trx, after, signers, at)
  await notifySigners(trx, notifying, after, signers, 'signing-turn', at)
}

/** Signers without an address cannot be reminded. */
async function scheduleReminders(
  trx: Transaction,
  { session }: Ceremony,
  signers: readonly Signer[],
  at: Instant,
): Promise<void> {
  const reached = signers.filter(({ userId, email }) => userId !== null || email !== null)
  if (reached.length === 0) return
  const office = await findOffice(trx, session.officeId)
  if (!office) throw new Error(`no office ${session.officeId}`)
  const ids = reached.map(({ id }) => id)
  await beginTurns(trx, ids, { turnSince: at, due: nextReminder(office.reminders, at, at) })
}

/**
 * Mails these signers that the session waits for them. An external signer gets a new link. With their turn, unopened links are
 * revoked, and one that is open in a browser works until the new one is opened; a reminder ends none before, so that the link
 * that the office printed or showed still opens.
 *
 * @returns the number of signers with an address
 */
export async function notifySigners(
  trx: Transaction,
  notifying: Notifying,
  ceremony: Ceremony,
  signers: readonly Signer[],
  kind: 'signing-turn' | 'signing-reminder',
  at: Instant,
): Promise<number> {
  const { session } = ceremony
  const reached = await listReached(trx, signers)
  if (reached.length === 0) return 0
  const author = await findUser(trx, session.createdBy)
  const { named, numbered } = await factsOfSession(trx, ceremony)
  const asked = { by: author ? fullName(author) : '', deadline: session.deadline }
  await discardMailAbout(
    trx,
    reached.map(({ signer }) => aboutSigner(signer)),
    'newer-mail',
    at,
  )
  const mailTo = ({ signer, address }: ReachedSigner) => ({
    officeId: session.officeId,
    to: { name: signer.name, address },
    at,
    about: aboutSigner(signer),
  })
  const page = `${notifying.settings.publicOrigin}/dashboard/signing/${session.id}`
  await queueMails(
    trx,
    reached
      .filter(({ signer }) => signer.userId !== null)
      .map((one) => ({ ...mailTo(one), facts: { ...asked, ...numbered, kind, page } })),
  )
  const external = reached.filter(({ signer }) => signer.userId === null)
  const secrets = await linksFor(trx, notifying, external, {
    by: session.createdBy,
    at,
    expiresAt: expiryOfLink(at, session.deadline),
    ends: kind === 'signing-turn' ? 'unopened' : 'nothing',
  })
  const sealed = {
    ...asked,
    ...named,
    message: session.message,
    kind: kind === 'signing-turn' ? 'signing-invitation' : kind,
  } as const
  await queueSealedMails(
    trx,
    notifying.vault,
    secrets.map(({ secret, ...one }) => ({ ...mailTo(one), facts: { ...sealed, ...secret } })),
  )
  return reached.length
}

/** The `about` of a mail to a signer: it is discarded once the signer is removed or the link is over. */
export const aboutSigner = ({ id }: Pick<Signer, 'id'>) => `signer:${id}`

/** The `about` of a mail with a code to reject: it is discarded once there is a newer one, or the session is over. */
export const aboutRejection = ({ id }: Pick<Signer, 'id'>) => `rejection:${id}`

/** A signer with their email address. */
export type ReachedSigner = { signer: Signer; address: Email }

/** The signers with an email address: that of their account, or the one given for them. */
export async function listReached(
  trx: Transaction,
  signers: readonly Signer[],
): Promise<ReachedSigner[]> {
  const users = await findUsers(
    trx,
    signers.flatMap(({ userId }) => userId ?? []),
  )
  return signers.flatMap((signer) => {
    const address = signer.userId ? users.get(signer.userId)?.email : signer.email
    return address ? [{ signer, address }] : []
  })
}

/** Creates a link for each signer, as facts for their mail. */
export async function linksFor(
  trx: Transaction,
  { settings }: Notifying,
  reached: readonly ReachedSigner[],
  request: LinkRequest,
): Promise<(ReachedSigner & { secret: { secretLink: string; linkExpiresAt: Instant } })[]> {
  const links = await insertSigningLinks(
    trx,
    reached.map(({ signer }) => signer.id),
    request,
  )
  const byId = new Map(links.map((link) => [link.signerId, link]))
  return reached.flatMap((one) => {
    const link = byId.get(one.signer.id)
    if (!link) return []
    const secretLink = signingLinkAddress(settings.publicOrigin, link.code)
    return [{ ...one, secret: { secretLink, linkExpiresAt: link.expiresAt } }]
  })
}
