import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findArchive } from '#server/db/documents/archives.ts'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { listSignatures } from '#server/db/documents/signatures.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findDraftOnCompleted } from '#server/db/signing-sessions/session-documents.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import { timeOrderedId } from '#server/db/time-ordered-id.ts'
import { findCertificates } from '#server/db/trust/certificates.ts'
import { findConstanciaOverSignatures } from '#server/db/trust/constancias.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { DocumentId, SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import type { Instant } from '#server/domain/time.ts'
import type { ConstanciaState } from '#server/domain/timestamp/constancia.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type ReadFurtherSigning = { documentId: DocumentId }

/** What a further signature would change. */
export type FurtherSigning = {
  document: Document
  office: Office
  /** Names in the certificates of those who signed, in order. */
  signedBy: string[]
  /** Whether the file has a long-term proof, which the further signature makes again. */
  hasLongTermProof: boolean
  /** Of the constancia over the file as it is; null if none was requested. */
  constancia: ConstanciaState | null
}

/**
 * What a further signature on a complete document changes and costs.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `wrong-state` for a document that is not complete
 */
export async function readFurtherSigning(
  system: System,
  actor: Actor,
  { documentId }: ReadFurtherSigning,
): Promise<FurtherSigning> {
  const { db, clock } = system
  const { document } = await findComplete(system, actor, documentId, clock.now())
  const office = await findOffice(db, document.officeId)
  const version = await findVersion(db, documentId, document.version)
  if (!office || !version) throw new Error(`${documentId} has no office or no version`)
  const signatures = await listSignatures(db, documentId)
  const certificates = await findCertificates(
    db,
    signatures.map(({ certificateId }) => certificateId),
  )
  const archive = await findArchive(db, documentId)
  const constancia = await findConstanciaOverSignatures(db, documentId, document.version)
  return {
    document,
    office,
    signedBy: signatures.flatMap(
      ({ certificateId }) => certificates.get(certificateId)?.name ?? [],
    ),
    hasLongTermProof: archive?.state === 'kept' && archive.version === document.version,
    constancia: constancia?.state ?? null,
  }
}

export const BeginFurtherSession = z.object({
  documentId: DocumentId,
  /** The complete version on the screen. */
  version: z.coerce.number().int().positive(),
})
export type BeginFurtherSession = z.infer<typeof BeginFurtherSession>

/**
 * Creates a draft session that adds signatures to a complete document, after its author read what that changes.
 * A repeated request gets the same session.
 *
 * @throws {Problem} see `readFurtherSigning`; `stale-version` when the document changed meanwhile
 */
export async function beginFurtherSession(
  system: System,
  actor: Actor,
  { documentId, version }: BeginFurtherSession,
): Promise<SigningSessionId> {
  const { db, clock } = system
  const at = clock.now()
  const { person } = await findComplete(system, actor, documentId, at)
  return await db.transaction(async (trx) => {
    await lockUntilCommit(trx, `further-signing:${documentId}`)
    const document = await findDocument(trx, documentId)
    if (document?.state !== 'signed') throw new Problem('wrong-state', `${documentId} moved on`)
    if (document.version !== version)
      throw new Problem('stale-version', `${documentId} is at ${document.version}`)
    const known = await findDraftOnCompleted(trx, documentId)
    if (known) return known
    const session = draftOn(document, person, at)
    const held = { id: documentId, completedVersion: version, baseVersion: null, fields: [] }
    await insertSigningSession(trx, session, [held])
    await appendEvent(trx, {
      actor,
      at,
      action: 'signing-session.created',
      subject: { kind: 'signing-session', id: session.id },
      details: { documents: 1, signers: 0, document: documentId, completedVersion: version },
    })
    return session.id
  })
}

async function findComplete(
  { db }: System,
  actor: Actor,
  documentId: DocumentId,
  at: Instant,
): Promise<{ document: Document; person: Person }> {
  const document = await findDocument(db, documentId)
  if (!document) throw new Problem('not-found', `no document ${documentId}`)
  const subject = { kind: 'document', id: documentId } as const
  const action = 'signing-sessions.manage'
  const person = await authorizeOrRecord(db, actor, action, document, at, subject)
  if (document.state !== 'signed')
    throw new Problem('wrong-state', `${documentId} is ${document.state}`)
  return { document, person }
}

const draftOn = (document: Document, { userId }: Person, at: Instant): SigningSession => ({
  id: SigningSessionId.parse(timeOrderedId(at)),
  officeId: document.officeId,
  title: document.title,
  message: null,
  deadline: null,
  state: 'draft',
  stateSince: at,
  stateBy: userId,
  stateReason: null,
  createdAt: at,
  createdBy: userId,
  act: null,
})
