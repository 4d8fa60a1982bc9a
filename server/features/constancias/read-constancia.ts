import { z } from 'zod'
import { findArchive } from '#server/db/documents/archives.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Reader } from '#server/db/transaction.ts'
import {
  findConstancia,
  findConstanciaOverSignatures,
  listConstancias,
} from '#server/db/trust/constancias.ts'
import { listServiceProviders } from '#server/db/trust/service-providers.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Constancia } from '#server/domain/timestamp/constancia.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type ReadConstancia = { documentId: DocumentId }

export type ConstanciasOfDocument = {
  /** The constancia over all signatures of the current file. */
  current: Constancia | undefined
  /** The other ones, newest file first. */
  earlier: Constancia[]
  /** The caller may request one now. */
  canRequest: boolean
  /** It is requested by itself once the long-term proof, which the document waits for, makes the file final. */
  comesWithArchive: boolean
}

/**
 * The constancias of a document.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function readConstancia(
  { db, clock }: System,
  actor: Actor,
  { documentId }: ReadConstancia,
): Promise<ConstanciasOfDocument> {
  const document = await findDocument(db, documentId)
  if (!document) throw new Problem('not-found', `no document ${documentId}`)
  const subject = { kind: 'document', id: documentId } as const
  const now = clock.now()
  const person = await authorizeOrRecord(db, actor, 'document.read', document, now, subject)
  const all = await listConstancias(db, documentId)
  const current = await findConstanciaOverSignatures(db, documentId, document.version)
  const isMissing = !current || current.state === 'failed'
  const canBeIssued =
    isMissing &&
    document.state === 'signed' &&
    (await listServiceProviders(db, document.officeId, 'constancia')).length > 0
  return {
    current,
    earlier: all.filter(({ id }) => id !== current?.id),
    canRequest: canBeIssued && isAllowed(person.roles, 'document.request-constancia'),
    comesWithArchive: canBeIssued && !current && (await isAwaited(db, document)),
  }
}

/** Whether the archive will request it: see `requestFinalConstancia`. */
async function isAwaited(db: Reader, { id, officeId }: Document): Promise<boolean> {
  const office = await findOffice(db, officeId)
  if (office?.constanciaPolicy !== 'at-completion' || office.timestampPolicy === 'none')
    return false
  return (await findArchive(db, id))?.state === 'waiting'
}

export const OpenConstancia = z.object({
  documentId: DocumentId,
  version: z.coerce.number().int().positive(),
})
export type OpenConstancia = z.infer<typeof OpenConstancia>

/**
 * Returns an issued constancia as the provider sent it. Logged before the first byte is sent.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found`, also while there is none
 */
export async function openConstancia(
  { db, eventQueue, clock }: System,
  actor: Actor,
  { documentId, version }: OpenConstancia,
): Promise<{ folio: string; bytes: Uint8Array }> {
  const at = clock.now()
  const document = await findDocument(db, documentId)
  if (!document) throw new Problem('not-found', `no document ${documentId}`)
  const subject = { kind: 'document', id: documentId } as const
  await authorizeOrRecord(db, actor, 'document.read', document, at, subject)
  const constancia = await findConstancia(db, documentId, version)
  if (constancia?.state !== 'issued' || !constancia.answer)
    throw new Problem('not-found', `no constancia of version ${version}`)
  await eventQueue.append({
    actor,
    at,
    action: 'document.downloaded',
    subject,
    details: { version, file: 'constancia', constancia: constancia.id },
  })
  return { folio: document.folio, bytes: constancia.answer }
}
