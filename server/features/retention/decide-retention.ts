import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  blockDocumentRow,
  findRetentionItem,
  listRetentionTerms,
  replaceRetentionItem,
} from '#server/db/care/retention.ts'
import { purgeDocumentStamp } from '#server/db/documents/document-stamps.ts'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument, lockFolios, purgeDocumentRow } from '#server/db/documents/documents.ts'
import { lockLeases } from '#server/db/documents/prepared-signatures.ts'
import { giveUpFile } from '#server/db/documents/unneeded-files.ts'
import { removeJudgement } from '#server/db/documents/upload-judgements.ts'
import {
  endOfBlock,
  isRetainable,
  mayBeDestroyed,
  RetainedKind,
  type RetentionItem,
} from '#server/domain/care/retention.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { after, days, type Instant } from '#server/domain/time.ts'
import { writeTexts } from '#server/steps/documents/write-texts.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const DecideRetention = z.object({
  documentId: DocumentId,
  reason: Reason.pipe(z.string().min(1)),
})
export type DecideRetention = z.infer<typeof DecideRetention>

export const PostponeRetention = DecideRetention.extend({
  /** For how many months. */
  months: z.int().min(1).max(120),
})
export type PostponeRetention = z.infer<typeof PostponeRetention>

type Deciding = Pick<System, 'db' | 'clock'>

/**
 * Keeps a document that was proposed for some months more.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `retention-state` if it is not proposed
 */
export async function postponeRetention(
  { db, clock }: Deciding,
  actor: Actor,
  { documentId, months, reason }: PostponeRetention,
): Promise<void> {
  const at = clock.now()
  const { person, item } = await findDecided({ db }, actor, documentId, at)
  if (item.state !== 'proposed')
    throw new Problem('retention-state', `${documentId} is ${item.state}`)
  const until = after(at, days(31 * months))
  await db.transaction(async (trx) => {
    const next: RetentionItem = {
      ...{ ...item, state: 'postponed', since: at, by: person.userId, reason, until },
    }
    if (!(await replaceRetentionItem(trx, item, next)))
      throw new Problem('retention-state', `${documentId} moved on meanwhile`)
    await appendEvent(trx, {
      ...{ actor, at, action: 'retention.postponed' },
      subject: { kind: 'document', id: documentId },
      details: { reason, months },
    })
  })
}

/**
 * Blocks a document that was proposed: from now on only those read it who decide about its end, and a search finds it by its folio
 * alone.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `retention-state` if it is not proposed, or has changed
 *   since
 */
export async function blockDocument(
  { db, clock }: Deciding,
  actor: Actor,
  { documentId, reason }: DecideRetention,
): Promise<void> {
  const at = clock.now()
  const { person, item } = await findDecided({ db }, actor, documentId, at)
  await db.transaction(async (trx) => {
    await lockLeases(trx, documentId)
    const document = await findDocument(trx, documentId)
    const kind = RetainedKind.safeParse(document?.kind)
    const term = kind.success && (await listRetentionTerms(trx, item.officeId)).get(kind.data)
    const isDue = item.state === 'proposed' && document && isRetainable(document)
    if (!isDue || !term) throw new Problem('retention-state', `${documentId} is not to be blocked`)
    const until = endOfBlock(term, at)
    const next: RetentionItem = {
      ...{ ...item, state: 'blocked', since: at, by: person.userId, reason, until },
    }
    const isBlocked =
      (await replaceRetentionItem(trx, item, next)) && (await blockDocumentRow(trx, document, at))
    if (!isBlocked) throw new Problem('retention-state', `${documentId} moved on meanwhile`)
    await writeTexts(trx, [documentId])
    await appendEvent(trx, {
      ...{ actor, at, action: 'retention.blocked' },
      subject: { kind: 'document', id: documentId },
      details: { reason, until },
    })
  })
}

/**
 * Destroys the files of a document whose block is over. Another person blocked it. Its row, folio, digests and events stay. If we
 * crash before the files are removed, a job removes them.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `retention-same-person`; `retention-state` before the
 *   end of the block
 */
export async function destroyDocument(
  { db, clock }: Deciding,
  actor: Actor,
  { documentId, reason }: DecideRetention,
): Promise<void> {
  const at = clock.now()
  const { person, item } = await findDecided({ db }, actor, documentId, at)
  if (!mayBeDestroyed(item, at)) throw new Problem('retention-state', `${documentId} is not over`)
  if (item.by === person.userId)
    throw new Problem('retention-same-person', `${person.userId} blocked ${documentId}`)
  await db.transaction(async (trx) => {
    await lockLeases(trx, documentId)
    await lockFolios(trx, item.officeId)
    const document = await findDocument(trx, documentId)
    const next: RetentionItem = {
      ...{ ...item, state: 'destroyed', since: at, by: person.userId, reason, until: null },
    }
    const isOurs = document && (await replaceRetentionItem(trx, item, next))
    if (!isOurs || !(await purgeDocumentRow(trx, document, { at, by: person.userId })))
      throw new Problem('retention-state', `${documentId} moved on meanwhile`)
    await removeJudgement(trx, documentId)
    await purgeDocumentStamp(trx, documentId)
    const versions = await listVersions(trx, documentId)
    for (const version of versions) await giveUpFile(trx, version, at)
    await appendEvent(trx, {
      ...{ actor, at, action: 'retention.destroyed' },
      subject: { kind: 'document', id: documentId },
      details: { reason, blockedBy: item.by, sha256: versions.at(-1)?.sha256 ?? null },
    })
  })
}

async function findDecided(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  documentId: DocumentId,
  at: Instant,
): Promise<{ person: Person; document: Document; item: RetentionItem }> {
  const document = await findDocument(db, documentId)
  const item = await findRetentionItem(db, documentId)
  if (!document || !item) throw new Problem('not-found', `no item of ${documentId}`)
  const subject = { kind: 'document', id: documentId } as const
  const person = await authorizeOrRecord(db, actor, 'retention.decide', document, at, subject)
  return { person, document, item }
}
