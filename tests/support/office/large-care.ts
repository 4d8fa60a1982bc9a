import { randomUUID } from 'node:crypto'
import type { ArcoRequestRow, ConsentRecordRow } from '#server/db/tables/care.ts'
import type { DocumentRow } from '#server/db/tables/documents.ts'
import { FEDERAL_TERMS } from '#server/domain/care/arco-request.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { after, days } from '#server/domain/time.ts'
import type { Growth } from './large-office.ts'

const KINDS = ['privacy-notice', 'pictures-given', 'pictures-withdrawn']

/** What people consented to over these documents. */
export function careRows({ people }: Growth, documents: readonly DocumentRow[]) {
  const [author] = people
  if (!author) throw new Error('an office without people')
  const requests = documents
    .filter((_, index) => index % 5 === 0)
    .map((document) => requestOf(document, author.id))
  return {
    consent_records: documents.map(consentOf),
    retention_items: documents.map(({ id, office_id, created_at }, index) => ({
      ...{ document_id: id, office_id, since: created_at, by_user: null, reason: null },
      ...(index % 50 === 0
        ? { state: 'postponed', until: after(created_at, days(9999)) }
        : { state: 'destroyed', until: null }),
    })),
    arco_requests: requests,
    arco_steps: requests.map(({ id, created_at, created_by }) => ({
      ...{ request_id: id, place: 0, kind: 'recorded', at: created_at, by_user: created_by },
      note: null,
    })),
  }
}

/** One of twenty is not answered yet. */
function requestOf(document: DocumentRow, author: string): ArcoRequestRow {
  const isOpen = document.folio_number % 20 === 0
  return {
    ...{ id: randomUUID(), office_id: document.office_id, year: document.folio_year },
    ...{ number: document.folio_number, kind: 'access', way: 'letter' },
    ...{ received_on: '2026-11-20', name: 'Iván Núñez', rfc: rfcAt(document.folio_number) },
    ...{ email: null, asked: 'Qué datos míos tienen.', terms: JSON.stringify(FEDERAL_TERMS) },
    ...{ state: isOpen ? 'received' : 'closed', state_since: document.created_at },
    ...{ due_on: isOpen ? '2027-06-01' : null, extended_term: null, extended_on: null },
    ...{ identity: null, answer: null, created_at: document.created_at, created_by: author },
  }
}

const consentOf = (document: DocumentRow, index: number): ConsentRecordRow => ({
  ...{ id: randomUUID(), office_id: document.office_id, kind: KINDS[index % KINDS.length] ?? '' },
  ...{ name: `Iván ${index % 300}`, rfc: rfcAt(index), user_id: null, session_signer_id: null },
  ...{ signing_session_id: null, document_id: document.id },
  notice: index % KINDS.length === 0 ? sha256(`Aviso ${index % 7}`) : null,
  at: document.created_at,
})

const rfcAt = (index: number) =>
  `PERS8001${String((index % 28) + 1).padStart(2, '0')}AB${index % 9}`
