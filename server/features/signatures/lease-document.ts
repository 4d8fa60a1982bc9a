import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import {
  endPreparedSignature,
  findLease,
  insertPreparedSignature,
  lockLeases,
} from '#server/db/documents/prepared-signatures.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { toHex } from '#server/domain/bytes.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { digestOfDescription } from '#server/domain/documents/description.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { PreparedSignature } from '#server/domain/documents/prepared-signature.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { type Instant, minutes } from '#server/domain/time.ts'
import type { AcknowledgedFacts } from '#server/steps/judgements/find-judgements.ts'
import {
  isSameIdentity,
  type SigningIdentity,
  type SigningParty,
} from '#server/steps/signing/authorize-party.ts'
import { mustBeAt } from '#server/steps/signing/find-signable.ts'
import type { PagesSeen } from './ask-about-unread.ts'

/** How long a prepared signature blocks other signers of the document. */
export const LEASE = minutes(2)

/**
 * Stores the prepared signature, which leases the document to its signer until it expires, with its event. Checks again under
 * the lock: another signer may have prepared meanwhile. An earlier lease of the same signer ends.
 *
 * @param planned the document as the sheet was drawn
 * @throws {Problem} `not-found`, `wrong-state`, `stale-version`, `someone-signing`
 */
export async function leaseDocument(
  trx: Transaction,
  prepared: PreparedSignature,
  {
    party,
    planned,
    acknowledged,
    read,
  }: {
    party: SigningParty
    planned: Document
    acknowledged: AcknowledgedFacts
    read: PagesSeen
  },
) {
  const { documentId, createdAt: at } = prepared
  await lockLeases(trx, documentId)
  const document = await findDocument(trx, documentId)
  if (!document) throw new Problem('not-found', `no document ${documentId}`)
  mustBeAt(document, prepared.version)
  mustBeDescribedAs(document, planned)
  const earlier = await mustBeFree(trx, documentId, prepared, at)
  if (earlier) await endPreparedSignature(trx, earlier.id, 'dropped', at)
  await insertPreparedSignature(trx, prepared)
  await appendEvent(trx, {
    actor: party.actor,
    at,
    action: 'signature.prepared',
    subject: { kind: 'document', id: documentId },
    details: {
      prepared: prepared.id,
      version: prepared.version,
      sha256: prepared.baseSha256,
      digest: toHex(prepared.digest),
      certificate: sha256(prepared.certificateDer),
      method: prepared.method,
      ...acknowledged,
      ...read,
    },
  })
}

/* The sheet was drawn with the description as read before. */
function mustBeDescribedAs(document: Document, planned: Document): void {
  if (digestOfDescription(document) !== digestOfDescription(planned))
    throw new Problem('stale-version', `${document.id} was described anew while it was prepared`)
}

/**
 * Returns the lease of the same signer, if there is one.
 *
 * @throws {Problem} `someone-signing` while another signer has the lease
 */
export async function mustBeFree(
  db: Reader,
  documentId: DocumentId,
  identity: SigningIdentity,
  now: Instant,
) {
  const lease = await findLease(db, documentId, now)
  if (lease && !isSameIdentity(lease, identity))
    throw new Problem('someone-signing', `${lease.userId ?? lease.signerId} holds ${documentId}`)
  return lease
}
