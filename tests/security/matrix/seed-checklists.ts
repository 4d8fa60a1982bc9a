import { insertChecks } from '#server/db/documents/document-checks.ts'
import { upsertChecklist } from '#server/db/signing-sessions/act-checklists.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { ActId, DocumentId, OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** A list for each act; the document has a copy of the list of the second. */
export async function seedChecklists(
  trx: Transaction,
  {
    officeId,
    ids,
    documentId,
    at,
    by,
  }: { officeId: OfficeId; ids: readonly ActId[]; documentId: DocumentId; at: Instant; by: UserId },
) {
  const item = { text: 'Aviso preventivo', phase: 'before', need: 'required' } as const
  for (const actId of ids) await upsertChecklist(trx, { officeId, actId, items: [item], at, by })
  const [, actId] = ids
  if (!actId) throw new Error('two acts')
  await insertChecks(trx, [
    {
      ...{ ...item, documentId, actId, actName: 'Acto 2', position: 1 },
      ...{ state: 'open', note: null, at, by },
    },
  ])
}
