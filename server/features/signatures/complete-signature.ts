import { z } from 'zod'
import type { Database } from '#server/db/database.ts'
import { findPreparedSignature } from '#server/db/documents/prepared-signatures.ts'
import type { PreparedSignature } from '#server/domain/documents/prepared-signature.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { type DocumentId, PreparedSignatureId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { isSignedBy } from '#server/domain/signing/is-signed-by.ts'
import type { Instant } from '#server/domain/time.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import {
  authorizeParty,
  identityOf,
  isSameIdentity,
  mustBeSignatory,
  mustBeTheirTurn,
  type SigningParty,
} from '#server/steps/signing/authorize-party.ts'
import {
  findSignable,
  mustBeAt,
  mustNotBeOver,
  type Signable,
  unlessTheyDid,
} from '#server/steps/signing/find-signable.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import { assembleSigned } from './assemble-signed.ts'
import { commitSignature } from './commit-signature.ts'
import { mustSignAs } from './must-sign-as.ts'
import { recordRefusal } from './record-refusal.ts'

export const CompleteSignature = z.object({
  preparedId: PreparedSignatureId,
  /** RSASSA-PKCS1-v1_5 with SHA-256 over the prepared `toBeSigned`. */
  signature: z.instanceof(Uint8Array<ArrayBufferLike>),
})
export type CompleteSignature = z.infer<typeof CompleteSignature>

export type CompletedSignature = { documentId: DocumentId; version: number }

/**
 * Completes a prepared signature with the key's signature value; the signed file becomes the document's next
 * version. Repeating the call gives the same result. A crash leaves the document either unchanged or signed:
 * the file is durable before one transaction makes it visible.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `preparation-expired`, `preparation-superseded`,
 *   `capacity-not-in-force`, `timestamp-unavailable`, `already-signed`, `document-final`, `wrong-state`,
 *   `stale-version`; `signature-refused` for a wrong signature, after which the right one is still accepted
 */
export async function completeSignature(
  system: System,
  actor: Actor,
  input: CompleteSignature,
): Promise<CompletedSignature> {
  const { db, clock } = system
  const at = clock.now()
  const found = await findOpenOrUsed(db, actor, input.preparedId, at)
  if ('answer' in found) return found.answer
  const { prepared, party, signable } = found
  const certificate = readCertificate(prepared.certificateDer)
  await mustBeSigned(db, { prepared, party, certificate, at }, input.signature)

  const checked = { prepared, party, certificate, at }
  const assembled = await assembleOrRecord(system, checked, signable, input)
  const { staged } = assembled
  try {
    const made = { party, prepared, certificate, ...assembled, at: clock.now() }
    await unlessTheyDid(db, actor, prepared, commitSignature(system, made))
    return answerFor(prepared)
  } catch (error) {
    // Two requests with the same signature: one commits, the other returns the same result.
    const isDone = error instanceof Problem && (await isUsed(db, prepared.id).catch(() => false))
    if (isDone) return answerFor(prepared)
    throw error
  } finally {
    await staged.discard()
  }
}

/** The same request may have been completed between two of these reads. */
async function findOpenOrUsed(db: Database, actor: Actor, id: PreparedSignatureId, at: Instant) {
  try {
    return await findOwn(db, actor, id, at)
  } catch (error) {
    if (!(error instanceof Problem) || !(await isUsed(db, id))) throw error
    return await findOwn(db, actor, id, at)
  }
}

async function findOwn(db: Database, actor: Actor, id: PreparedSignatureId, at: Instant) {
  const prepared = await findPreparedSignature(db, id)
  if (!prepared) throw new Problem('not-found', `no prepared signature ${id}`)
  if (prepared.state === 'used') return { prepared, answer: answerToOwner(actor, prepared) }
  const signable = await findSignable(db, prepared)
  if (prepared.signerId && !signable.held)
    throw new Problem('session-over', `the session of ${id} is closed`)
  const party = await authorizeParty(db, actor, signable, at)
  if (!isSameIdentity(prepared, identityOf(party)))
    throw new Problem('not-found', `${id} was prepared by another`)
  mustBeTheirTurn(party, signable, at)
  // Check this first: only a document at the same version can be prepared again.
  const { document } = signable
  if (document.state === 'signed') await mustNotBeOver(db, actor, signable, prepared.version)
  mustBeAt(document, prepared.version)
  if (prepared.state === 'dropped')
    throw new Problem('preparation-superseded', `${id} was replaced by a newer one`)
  if (prepared.expiresAt <= at)
    throw new Problem('preparation-expired', `${id} was open until ${prepared.expiresAt}`)
  mustSignAs(prepared, party.character)
  return { prepared, party, signable }
}

/** Logs a missing required timestamp; the prepared signature can be retried. */
async function assembleOrRecord(
  system: System,
  { prepared, party, certificate, at }: Checked,
  { document, version: base, office }: Signable,
  { signature }: CompleteSignature,
) {
  try {
    const assembling = assembleSigned(system, { prepared, base, office, certificate, signature })
    return await reportDamage(system, { document, version: base }, assembling)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { documentId, method } = prepared
    const { code } = error
    await recordRefusal(system.db, { by: party.actor, at, documentId, method, code })
    throw error
  }
}

type Checked = {
  prepared: PreparedSignature
  party: SigningParty
  certificate: Certificate
  at: Instant
}

/** Checked first: a wrong signature changes nothing and leaves the prepared signature usable. */
async function mustBeSigned(
  db: Database,
  { prepared, party, certificate, at }: Checked,
  signature: Uint8Array,
) {
  if (isSignedBy(certificate, prepared.signedAttributes, signature)) return
  const { documentId, method } = prepared
  await recordRefusal(db, { by: party.actor, at, documentId, method, code: 'signature-refused' })
  throw new Problem('signature-refused', `${prepared.id} was not signed with its certificate`)
}

/** @throws {Problem} `not-signed-in`; `not-found` for anyone else */
function answerToOwner(actor: Actor, prepared: PreparedSignature): CompletedSignature {
  const signatory = mustBeSignatory(actor)
  const isOwn =
    signatory.kind === 'guest'
      ? prepared.signerId === signatory.signerId
      : prepared.userId === signatory.userId
  if (!isOwn) throw new Problem('not-found', `${prepared.id} was prepared by another`)
  return answerFor(prepared)
}

async function isUsed(db: Database, id: PreparedSignatureId): Promise<boolean> {
  return (await findPreparedSignature(db, id))?.state === 'used'
}

const answerFor = ({ documentId, version }: PreparedSignature): CompletedSignature => ({
  documentId,
  version: version + 1,
})
