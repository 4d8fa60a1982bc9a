import { z } from 'zod'
import { findDocument } from '#server/db/documents/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { EvidenceSheetFacts } from '#server/domain/signing/evidence-sheet-facts.ts'
import { readInTurn } from '#server/steps/documents/read-in-turn.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { findCompleted } from '#server/steps/signing/find-completed.ts'
import type { System } from '#server/system.ts'
import { gatherSheetFacts } from './gather-sheet-facts.ts'

export const ReadEvidence = z.object({ documentId: DocumentId })
export type ReadEvidence = z.infer<typeof ReadEvidence>

/**
 * Returns the facts of the evidence sheet of a document's last complete version. Logged first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found`, also until every signer has signed;
 *   `pdf-too-complex`; `too-many-attempts` when many of theirs wait
 */
export async function readEvidence(
  system: System,
  actor: Actor,
  input: ReadEvidence,
  signal?: AbortSignal,
): Promise<{ document: Document; facts: EvidenceSheetFacts }> {
  const { db, eventQueue, clock } = system
  const at = clock.now()
  const document = await findDocument(db, input.documentId)
  if (!document) throw new Problem('not-found', `no document ${input.documentId}`)
  const subject = { kind: 'document', id: document.id } as const
  await authorizeOrRecord(db, actor, 'document.read', document, at, subject)
  // Evidence of an incomplete signing session would be mistaken for that of a complete one.
  const completed = await findCompleted(db, document)
  if (!completed) throw new Problem('not-found', `${document.id} is not signed yet`)
  const { version } = completed
  const gather = () => gatherSheetFacts(system, document, version)
  const facts = await readInTurn(system, actor, gather, signal)

  const details = { version: version.version, sha256: facts.finalSha256, file: 'evidence' }
  await eventQueue.append({ actor, at, action: 'document.downloaded', subject, details })
  return { document, facts }
}
