import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { insertMail, insertSealedMail } from '#server/db/mail/outbox.ts'
import { findUser } from '#server/db/people/users.ts'
import { insertSigningLink } from '#server/db/signing-sessions/signing-links.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { fitIntoMail, type MailAttachment } from '#server/domain/mail/mail.ts'
import { verificationUrlOf } from '#server/domain/signing/plan-signature.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { expiryOfLink, signingLinkAddress } from '#server/domain/signing/session/signing-link.ts'
import type { Instant } from '#server/domain/time.ts'
import {
  aboutSigner,
  addressOf,
  factsOfSession,
  type Telling,
} from '#server/steps/signing/tell-turns.ts'

/**
 * Writes to everybody who signed, and to whoever made the session, that it is complete. Each has a copy of
 * their own: attached where mail can carry all documents, else in Rúbrica, or by a link of their own.
 */
export async function tellCompletion(
  trx: Transaction,
  telling: Telling,
  ceremony: Ceremony,
  at: Instant,
): Promise<void> {
  const { session, documents, signers } = ceremony
  const { publicOrigin } = telling.settings
  const attachments = await copiesOf(trx, ceremony)
  const facts = {
    kind: 'signing-completed',
    ...(await factsOfSession(trx, ceremony)),
    verdicts: documents.map((document) => verificationUrlOf(publicOrigin, document)),
  } as const
  const page = `${publicOrigin}/dashboard/signing/${session.id}`
  const mail = { officeId: session.officeId, at, ...(attachments && { attachments }) }

  const author = await findUser(trx, session.createdBy)
  const users = new Map(author ? [[author.email, fullName(author)]] : [])
  for (const signer of signers.filter(({ state }) => state === 'signed')) {
    const address = await addressOf(trx, signer)
    if (!address) continue
    const to = { name: signer.name, address }
    if (signer.userId) users.set(address, signer.name)
    else if (attachments)
      await insertMail(trx, { ...mail, to, facts: { ...facts, copy: 'attached' } })
    else {
      const link = await linkToCopies(trx, telling, ceremony, signer, at)
      const about = aboutSigner(signer)
      await insertSealedMail(trx, telling.vault, {
        ...mail,
        to,
        about,
        facts: { ...facts, ...link },
      })
    }
  }
  for (const [address, name] of users) {
    const copy = attachments ? 'attached' : 'in-rubrica'
    await insertMail(trx, { ...mail, to: { name, address }, facts: { ...facts, copy, page } })
  }
}

/** The documents as they are signed; undefined where they are too much for one mail. */
async function copiesOf(
  trx: Transaction,
  { documents }: Ceremony,
): Promise<MailAttachment[] | undefined> {
  const copies: DocumentVersion[] = []
  for (const { id } of documents) {
    const document = await findDocument(trx, id)
    const version = document && (await findVersion(trx, id, document.version))
    if (!version) return undefined
    copies.push(version)
  }
  if (!fitIntoMail(copies.map(({ bytes }) => bytes))) return undefined
  return copies.map(({ documentId, version }) => ({ documentId, version }))
}

/** What they have open goes on until they open this one. */
async function linkToCopies(
  trx: Transaction,
  { settings }: Telling,
  { session }: Ceremony,
  { id: signerId }: Signer,
  at: Instant,
) {
  const asked = { signerId, by: session.createdBy, at, expiresAt: expiryOfLink(at, null) }
  const { code, expiresAt } = await insertSigningLink(trx, { ...asked, ends: 'when-opened' })
  return {
    secretLink: signingLinkAddress(settings.publicOrigin, code),
    linkExpiresAt: expiresAt,
  }
}
