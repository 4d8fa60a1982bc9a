import { randomUUID } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { awaitArchive } from '#server/db/documents/archives.ts'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { findDocument, replaceDocument } from '#server/db/documents/documents.ts'
import { endPreparedSignature } from '#server/db/documents/prepared-signatures.ts'
import { insertSignature } from '#server/db/documents/signatures.ts'
import { markDeadlinesDue } from '#server/db/obligations/deadline-marks.ts'
import { findUser } from '#server/db/people/users.ts'
import { lockSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import { timeOrderedId } from '#server/db/time-ordered-id.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import { awaitedArchive } from '#server/domain/documents/archive.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { SignatureLevel } from '#server/domain/documents/document-signature.ts'
import type { PreparedSignature } from '#server/domain/documents/prepared-signature.ts'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import { CertificateId, SignatureId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { heldCertificateOf } from '#server/domain/signing/held-certificate-of.ts'
import { characterAt, OF_OFFICE } from '#server/domain/signing/session/requested-character.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { commitWithFiles } from '#server/steps/documents/commit-with-files.ts'
import type { SigningParty } from '#server/steps/signing/authorize-party.ts'
import { presenceFactsOf } from '#server/steps/signing/export-presence.ts'
import { mustBeAt } from '#server/steps/signing/find-signable.ts'
import { type Notifying, notifyNewTurns } from '#server/steps/signing/notify-signers.ts'
import { requestFinalConstancia } from '#server/steps/signing/request-final-constancia.ts'
import type { System } from '#server/system.ts'
import type { AssembledSignature } from './assemble-signed.ts'
import { closeIfComplete } from './close-if-complete.ts'
import { type CountedSignature, countSignature } from './count-signature.ts'
import { mustSignAs } from './must-sign-as.ts'
import { notifyCompletion } from './notify-completion.ts'

export type Completed = AssembledSignature & {
  party: SigningParty
  prepared: PreparedSignature
  certificate: Certificate
  at: Instant
}

/**
 * Makes the staged file durable and the document's next version, in one transaction with the signature, the progress
 * of its session, and the events of both.
 *
 * @throws {Problem} `preparation-superseded` when the prepared signature was used or replaced; see `mustSignAs`; `wrong-state` or
 *   `stale-version` when the document changed; `session-over` when its session was closed
 */
export async function commitSignature(
  system: Notifying & Pick<System, 'db'>,
  completed: Completed,
): Promise<void> {
  const { staged: blob, base } = completed
  await commitWithFiles(system.db, [{ blob, officeId: base.officeId }], (trx) =>
    commit(trx, system, completed),
  )
}

async function commit(trx: Transaction, notifying: Notifying, completed: Completed): Promise<void> {
  const { party, prepared, staged, at } = completed
  if (party.signer) await lockSigningSession(trx, party.signer.signingSessionId)
  if (!(await endPreparedSignature(trx, prepared.id, 'used', at)))
    throw new Problem('preparation-superseded', `${prepared.id} is no longer open`)
  const seen = await findDocument(trx, prepared.documentId)
  if (!seen) throw new Problem('not-found', `no document ${prepared.documentId}`)
  mustBeAt(seen, prepared.version)
  await mustStillBe(trx, completed)
  const counted = await countSignature(trx, completed, seen)
  const document = await replaceWithSigned(trx, completed, seen, counted)
  await insertNextVersion(trx, completed, document, counted)
  const certificateId = await insertSignersCertificate(trx, completed, document)
  const signatureId = await insertOwnSignature(trx, completed, certificateId, counted)
  const isClosed = await closeIfComplete(trx, counted, party, at)
  if (document.state === 'signed') {
    await awaitArchive(trx, awaitedArchive(document, at))
    await requestFinalConstancia(trx, document, staged.sha256, 'signed', at)
    await markDeadlinesDue(trx, { documentId: document.id, at })
  }
  // The session of one that a direct signature creates has no other signer to notify.
  const complete = isClosed && party.signer !== null ? counted.change?.after : undefined
  if (counted.change)
    await notifyNewTurns(trx, notifying, counted.change.before, counted.change.after, at)
  if (complete) await notifyCompletion(trx, notifying, complete, at)
  await appendEvent(trx, {
    actor: party.actor,
    at,
    action: 'document.signed',
    subject: { kind: 'document', id: document.id },
    details: {
      signature: signatureId,
      version: document.version,
      sha256: staged.sha256,
      field: prepared.fieldName,
      certificate: satProfileOf(completed.certificate).certificateNumber,
      method: prepared.method,
      timestamp: completed.timestamping.by,
      signingSession: counted.session.id,
      signer: counted.signerId,
      ...(await presenceFactsOf(trx, {
        ...prepared,
        userId: party.userId,
        at: prepared.createdAt,
      })),
    },
  })
  if (complete)
    await appendEvent(trx, {
      actor: party.actor,
      at,
      action: 'signing-session.completed',
      subject: { kind: 'signing-session', id: counted.session.id },
      details: { documents: complete.documents.length },
    })
}

/** The timestamp took a while: the account may have been suspended or the capacity ended since. */
async function mustStillBe(trx: Transaction, { party, prepared, at }: Completed): Promise<void> {
  const account = party.userId ? await findUser(trx, party.userId) : undefined
  if (account && account.state !== 'active')
    throw new Problem('forbidden', `${account.id} is ${account.state}`)
  const asked = party.signer?.character ?? OF_OFFICE
  mustSignAs(prepared, characterAt(asked, account, at))
}

async function replaceWithSigned(
  trx: Transaction,
  { party, prepared, at }: Completed,
  seen: Document,
  { isLastOnDocument }: CountedSignature,
): Promise<Document> {
  const next: Document = {
    ...seen,
    state: isLastOnDocument ? 'signed' : 'signing',
    stateSince: at,
    stateBy: party.userId,
    version: prepared.version + 1,
  }
  if (!(await replaceDocument(trx, seen, next)))
    throw new Problem('stale-version', `${seen.id} moved on while it was signed`)
  return next
}

async function insertNextVersion(
  trx: Transaction,
  completed: Completed,
  document: Document,
  { signerId }: CountedSignature,
) {
  const { party, staged, report, base, at } = completed
  await insertVersion(trx, {
    documentId: document.id,
    officeId: document.officeId,
    version: document.version,
    sha256: staged.sha256,
    bytes: staged.bytes,
    pages: report.pages,
    cause: 'signed',
    by: party.userId,
    signer: signerId,
    at,
    fileName: base.fileName,
    signaturesBrought: 0,
  })
}

async function insertSignersCertificate(
  trx: Transaction,
  completed: Completed,
  { officeId }: Document,
): Promise<CertificateId> {
  const { certificate, party, at } = completed
  const row = heldCertificateOf(certificate, {
    id: CertificateId.parse(randomUUID()),
    officeId,
    userId: party.userId,
    at,
    isForTesting: ownReportOf(completed).forTesting,
  })
  return (await insertCertificate(trx, row)).id
}

async function insertOwnSignature(
  trx: Transaction,
  completed: Completed,
  certificateId: CertificateId,
  { signerId }: CountedSignature,
): Promise<SignatureId> {
  const { party, prepared, report } = completed
  const id = SignatureId.parse(timeOrderedId(completed.at))
  await insertSignature(trx, {
    id,
    documentId: prepared.documentId,
    version: prepared.version + 1,
    field: prepared.fieldName,
    certificateId,
    userId: party.userId,
    signerId,
    character: prepared.character,
    method: prepared.method,
    level: SignatureLevel.parse(ownReportOf(completed).level),
    // The time in the signature itself.
    signedAt: prepared.createdAt,
    report,
  })
  return id
}

function ownReportOf({ prepared, report }: Completed) {
  const own = report.signatures.find(({ field }) => field === prepared.fieldName)
  if (!own) throw new Error(`the verifier passed a file without ${prepared.fieldName}`)
  return own
}
