import { randomUUID } from 'node:crypto'
import type { ConsentRecordRow } from '#server/db/tables/care.ts'
import type { DocumentRow } from '#server/db/tables/documents.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Growth } from './large-office.ts'

const KINDS = ['privacy-notice', 'pictures-given', 'pictures-withdrawn']

/** What people consented to over these documents. */
export const careRows = (_growth: Growth, documents: readonly DocumentRow[]) => ({
  consent_records: documents.map(consentOf),
})

const consentOf = (document: DocumentRow, index: number): ConsentRecordRow => ({
  ...{ id: randomUUID(), office_id: document.office_id, kind: KINDS[index % KINDS.length] ?? '' },
  ...{ name: `Iván ${index % 300}`, rfc: rfcAt(index), user_id: null, session_signer_id: null },
  ...{ signing_session_id: null, document_id: document.id },
  notice: index % KINDS.length === 0 ? sha256(`Aviso ${index % 7}`) : null,
  at: document.created_at,
})

const rfcAt = (index: number) =>
  `PERS8001${String((index % 28) + 1).padStart(2, '0')}AB${index % 9}`
