import { randomInt } from 'node:crypto'
import { blockDocumentRow, insertRetentionItem } from '#server/db/care/retention.ts'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { folioOf } from '#server/domain/documents/folio.ts'
import type { DocumentId, OfficeId, UserId } from '#server/domain/ids.ts'
import { before, days, type Instant } from '#server/domain/time.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'

type Author = { officeId: OfficeId; by: UserId; at: Instant }

/** A cancelled letter whose term is over; if it is blocked, it may be destroyed. Its file is not there. @returns its id */
export async function insertRetained(
  trx: Transaction,
  { officeId, by, at }: Author,
  state: 'proposed' | 'blocked' = 'proposed',
): Promise<DocumentId> {
  const ended = before(at, days(4000))
  const document = aDocument(
    { id: by, officeId },
    {
      ...{ kind: 'letter', title: 'Carta', state: 'cancelled', stateSince: ended },
      ...{ createdAt: ended, folio: folioOf(2010, randomInt(1, 900_000)) },
    },
  )
  await insertDocument(trx, document)
  await insertVersion(trx, aVersion(document, 1, ended))
  const until = state === 'blocked' ? before(at, days(1)) : null
  await insertRetentionItem(trx, {
    ...{ documentId: document.id, officeId, state, since: at, by: null, reason: null, until },
  })
  if (state === 'blocked') await blockDocumentRow(trx, document, before(at, days(100)))
  return document.id
}
