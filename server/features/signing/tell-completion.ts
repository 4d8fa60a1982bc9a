import { findVersion } from '#server/db/document-versions.ts'
import { findDocument } from '#server/db/documents.ts'
import { insertMail } from '#server/db/outbox.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { findUser } from '#server/db/users.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { ATTACHMENT_LIMIT } from '#server/domain/mail/mail.ts'
import { verificationUrlOf } from '#server/domain/signing/plan-signature.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import type { Instant } from '#server/domain/time.ts'
import { addressOf, factsOfSession, type Telling } from './tell-turns.ts'

/**
 * Writes to everybody who signed, and to whoever made the session, that it is complete. Each has a copy of
 * their own: attached where it is one document that mail can carry.
 */
export async function tellCompletion(
  trx: Transaction,
  { settings }: Telling,
  ceremony: Ceremony,
  at: Instant,
): Promise<void> {
  const { session, documents, signers } = ceremony
  const { publicOrigin } = settings
  const attachment = await copyOf(trx, ceremony)
  const facts = {
    kind: 'signing-completed',
    ...(await factsOfSession(trx, ceremony)),
    verdicts: documents.map((document) => verificationUrlOf(publicOrigin, document)),
  } as const
  const page = `${publicOrigin}/dashboard/signing/${session.id}`
  const mail = { officeId: session.officeId, at, ...(attachment && { attachment }) }

  const author = await findUser(trx, session.createdBy)
  const users = new Map(author ? [[author.email, fullName(author)]] : [])
  for (const signer of signers.filter(({ state }) => state === 'signed')) {
    const address = await addressOf(trx, signer)
    if (!address) continue
    if (signer.userId) users.set(address, signer.name)
    else {
      const copy = attachment ? 'attached' : 'at-the-office'
      const to = { name: signer.name, address }
      await insertMail(trx, { ...mail, to, facts: { ...facts, copy } })
    }
  }
  for (const [address, name] of users) {
    const copy = attachment ? 'attached' : 'in-rubrica'
    await insertMail(trx, { ...mail, to: { name, address }, facts: { ...facts, copy, page } })
  }
}

async function copyOf(trx: Transaction, { documents }: Ceremony) {
  const [only, ...more] = documents
  const document = only && more.length === 0 ? await findDocument(trx, only.id) : undefined
  const version = document && (await findVersion(trx, document.id, document.version))
  if (!document || !version || version.bytes > ATTACHMENT_LIMIT) return undefined
  return { documentId: document.id, version: version.version }
}
