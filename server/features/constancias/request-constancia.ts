import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  findConstanciaOverSignatures,
  insertConstanciaRequest,
  replaceConstancia,
} from '#server/db/trust/constancias.ts'
import { listServiceProviders } from '#server/db/trust/service-providers.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const RequestConstancia = z.strictObject({ documentId: DocumentId })
export type RequestConstancia = z.infer<typeof RequestConstancia>

/**
 * Requests the constancia over the current signed file, or requests it again after a failure. A job sends the
 * request. Does nothing if one over the same signatures is pending or issued.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `wrong-state` for a document that is not signed;
 *   `no-constancia-provider`
 */
export async function requestConstancia(
  system: System,
  actor: Actor,
  { documentId }: RequestConstancia,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const document = await findDocument(db, documentId)
  if (!document) throw new Problem('not-found', `no document ${documentId}`)
  const subject = { kind: 'document', id: documentId } as const
  const action = 'document.request-constancia'
  const person = await authorizeOrRecord(db, actor, action, document, at, subject)
  if (document.state !== 'signed')
    throw new Problem('wrong-state', `${documentId} is ${document.state}`)
  const providers = await listServiceProviders(db, document.officeId, 'constancia')
  if (providers.length === 0)
    throw new Problem('no-constancia-provider', `none in ${document.officeId}`)
  const version = await findVersion(db, documentId, document.version)
  if (!version) throw new Error(`${documentId} has no version ${document.version}`)

  await db.transaction(async (trx) => {
    if (!(await ask(trx, document, version, person, at))) return
    await appendEvent(trx, {
      actor,
      at,
      action: 'constancia.requested',
      subject,
      details: { version: version.version, sha256: version.sha256 },
    })
  })
}

/** False if one is pending or issued already. */
async function ask(
  trx: Transaction,
  { id: documentId, officeId }: Document,
  { version, sha256 }: DocumentVersion,
  { userId: by }: Person,
  at: Instant,
): Promise<boolean> {
  const known = await findConstanciaOverSignatures(trx, documentId, version)
  if (known && known.state !== 'failed') return false
  if (await insertConstanciaRequest(trx, { officeId, documentId, version, sha256, by, at }))
    return true
  if (known?.version !== version) return false
  return await replaceConstancia(trx, known, {
    ...known,
    state: 'pending',
    requestedAt: at,
    requestedBy: by,
    attempts: 0,
    nextAttemptAt: at,
    lastError: null,
  })
}
