import { randomBytes, randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { firstNumberOf } from '#server/db/documents/document-texts.ts'
import type { DocumentRow } from '#server/db/tables/documents.ts'
import type { Tables } from '#server/db/tables.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { DocumentState } from '#server/domain/documents/document.ts'
import { folioOf } from '#server/domain/documents/folio.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import { spaced, wordsIn } from '#server/domain/documents/search/folded.ts'
import { titleKey } from '#server/domain/documents/title-key.ts'
import { verificationCodeFrom } from '#server/domain/documents/verification-code.ts'
import { after, before, days, type Instant, minutes } from '#server/domain/time.ts'
import { JUDGEMENT_EDITION } from '#server/domain/verification/upload-judgement.ts'
import { someReport } from '#tests/support/pdf/signed-document.ts'
import { careRows } from './large-care.ts'
import type { Growth } from './large-office.ts'
import { stateOfSession } from './large-sessions.ts'

type Rows<Table extends keyof Tables> = Insertable<Tables[Table]>[]

/** One number a document; years of 50,000 folios before those of any test. */
const FOLIOS_OF_A_YEAR = 50_000
const FIRST_YEAR = 2000

const REPORT = JSON.stringify(someReport)
const FAR = days(3000)

/** The documents `start` to `end`, oldest first, with what hangs on each. */
export function documentRows(growth: Growth, officeKey: string, start: number, end: number) {
  const documents = range(start, end).map((number) => documentAt(growth, number))
  const signed = documents.filter(({ state }) => state === 'signed')
  const certificates = range(start, end)
    .filter((number) => number % 4 === 0)
    .map((number) => certificateAt(growth, number))
  const copies = signed.map(copyOf)
  return {
    documents,
    document_texts: documents.map(textOf),
    instrument_numbers: documents.map((document, index) => numberOf(document, start + index)),
    document_checks: documents.filter((_, index) => index % 10 === 5).map(checkOf),
    number_texts: documents.filter((_, index) => index % 10 === 3).map(numberTextOf),
    document_versions: documents.flatMap(versionsOf),
    stored_files: documents.flatMap((document) => filesOf(document, officeKey)),
    certificates,
    signatures: signed.map((document, index) =>
      signatureOf(document, certificates[index % certificates.length]?.id ?? ''),
    ),
    upload_judgements: documents.map((document, index) => judgementOf(document, growth.now, index)),
    reading_progress: signed.map(readingOf),
    archives: signed.map((document, index) => archiveOf(document, growth.now, index)),
    constancias: signed.filter((_, index) => index % 5 === 0).map(constanciaOf),
    verification_reports: signed.filter((_, index) => index % 5 === 0).map(reportOf),
    outbox: documents.map((document, index) => mailAbout(document, growth, index)),
    ...presenceRows(signed.filter((_, index) => index % 10 === 0)),
    picture_consents: signed.filter((_, index) => index % 10 === 0).map(pictureConsentOf),
    issued_copies: copies,
    copy_cancellations: copies.map(cancellationOf),
    ...careRows(growth, signed),
    acknowledgements: signed.filter((_, index) => index % 10 === 0).map(acknowledgementOf),
  } satisfies { [Table in keyof Tables]?: Rows<Table> }
}

const range = (start: number, end: number) =>
  Array.from({ length: end - start }, (_, index) => start + index)

const authorOf = ({ people }: Growth, number: number) => {
  const author = people[number % people.length]
  if (!author) throw new Error('a large office has people')
  return author
}

/** A few minutes apart. */
const createdAt = ({ now, documents }: Growth, number: number): Instant =>
  before(now, minutes((documents - number) * 5))

const stateAt = (number: number): DocumentState => {
  if (number % 20 === 7) return 'draft'
  if (number % 40 === 9) return 'cancelled'
  const session = stateOfSession(number)
  if (session === 'open' || session === 'expired') return 'signing'
  return session === 'completed' ? 'signed' : 'draft'
}

/** A few minutes are between two documents: none have the same number. */
const textOf = ({ id, office_id, folio, title, created_at }: DocumentRow) => ({
  ...{ number: firstNumberOf(created_at), document_id: id, office_id },
  text: spaced(wordsIn(`Acta ${title} ${folio}`)),
})

const NUMBER_STATES = ['left', 'unused', 'reserved', 'missing'] as const

/** One of forty waits for a document, has a reason, or is missing. */
function numberOf({ id, office_id, created_at, created_by }: DocumentRow, index: number) {
  const state = index % 40 === 3 ? (NUMBER_STATES[((index / 40) % 4) | 0] ?? 'left') : 'used'
  return {
    ...{ office_id, series_id: INSTRUMENT_SERIES, state },
    ...{ first_number: index + 1, last_number: index + 1 },
    ...{ document_id: state === 'used' ? id : null, left_by: state === 'left' ? id : null },
    ...{ note: state === 'unused' ? 'NO PASÓ' : null, made_once: null },
    ...{ at: created_at, by_user: created_by },
  }
}

const checkOf = ({ id, created_at, created_by }: DocumentRow) => ({
  ...{ document_id: id, act_id: '1fd1f74c-6090-4212-a01f-8de89e32fa66', position: 1 },
  ...{ act_name: 'Poder', text: 'Identificaciones', phase: 'before', need: 'required' },
  ...{ state: 'open', note: null, at: created_at, by_user: created_by },
})

const numberTextOf = ({ id, office_id, folio, created_at }: DocumentRow) => ({
  ...{ document_id: id, office_id, series_id: INSTRUMENT_SERIES },
  ...{ text: `${folio} bis`, folded: `${folio} bis`, at: created_at },
})

function documentAt(growth: Growth, number: number): DocumentRow {
  const [year, count] = [
    FIRST_YEAR + Math.floor(number / FOLIOS_OF_A_YEAR),
    (number % FOLIOS_OF_A_YEAR) + 1,
  ]
  const { id: author } = authorOf(growth, number)
  const [at, state] = [createdAt(growth, number), stateAt(number)]
  const [folio, title] = [folioOf(year, count), `Poder número ${number} que otorga Iván Núñez`]
  return {
    ...{ id: randomUUID(), office_id: growth.office.id, folio, folio_year: year },
    ...{ folio_number: count, verification_code: verificationCodeFrom(randomBytes(10)) },
    ...{ kind: 'act', title, title_key: titleKey(title), instrument: null },
    ...{ state, state_since: at, state_by: author },
    version: state === 'signed' ? 3 : state === 'signing' ? 2 : 1,
    ...{ created_at: at, created_by: author },
    ...{ public_lookup: 'on', public_lookup_since: at, public_lookup_by: null },
    ...{ public_pictures: 'off', public_pictures_since: null, public_pictures_by: null },
    stamp_choice: null,
    purged_at: null,
    purged_by: null,
    blocked_at: null,
  }
}

const digestOf = ({ id }: DocumentRow, version: number) => sha256(`${id} ${version}`)

const CAUSES = ['uploaded', 'prepared', 'signed'] as const

const versionsOf = (document: DocumentRow) =>
  range(1, document.version + 1).map((version) => ({
    ...{ document_id: document.id, version, sha256: digestOf(document, version) },
    ...{ bytes: 100_000 + version, pages: 3, cause: CAUSES[version - 1] ?? 'signed' },
    ...{ by_user: document.created_by, session_signer_id: null },
    ...{ at: document.created_at, file_name: 'poder.pdf', signatures_brought: 0 },
  }))

/** As the store of files keeps each version; there is no file. */
const filesOf = (document: DocumentRow, officeKey: string) =>
  versionsOf(document).map(({ sha256: digest, bytes, at }) => ({
    ...{ office_id: document.office_id, sha256: digest, file: `test/${digest}`, bytes },
    ...{ office_key_id: officeKey, wrapped_key: new Uint8Array(48), stored_at: at },
  }))

function certificateAt(growth: Growth, number: number) {
  const author = authorOf(growth, number)
  const at = createdAt(growth, number)
  const der = new Uint8Array(randomBytes(1200))
  return {
    ...{ id: randomUUID(), office_id: growth.office.id, der, sha256: sha256(der) },
    ...{ kind: 'efirma-natural', rfc: author.rfc, curp: null, name: 'IVÁN NÚÑEZ' },
    ...{ number: `3000100000${String(number).padStart(10, '0')}`, issuer: 'AC de prueba' },
    ...{
      not_before: before(at, days(100)),
      not_after: after(growth.now, days((number % 1500) - 100)),
    },
    ...{ user_id: author.id, first_seen_at: at, provenance: 'real' },
  }
}

const signatureOf = (document: DocumentRow, certificate: string) => ({
  ...{ id: randomUUID(), document_id: document.id, version: document.version, field: 'Firmante-1' },
  ...{ certificate_id: certificate, signer_id: document.created_by, session_signer_id: null },
  ...{ character: null, method: 'browser', level: 'B-B', signed_at: document.created_at },
  report: REPORT,
})

/** One of a hundred waits, for a time that no test sees. */
const judgementOf = (document: DocumentRow, now: Instant, index: number) => ({
  ...{ document_id: document.id, version: 1, sha256: digestOf(document, 1) },
  ...{ trust_fingerprint: null, headline: null, findings: '[]', at: document.created_at },
  ...(index % 100 === 99
    ? { edition: 0, verdict: null, next_try: after(now, FAR) }
    : { edition: JUDGEMENT_EDITION, verdict: 'NO_SIGNATURE', next_try: document.created_at }),
})

const readingOf = (document: DocumentRow) => ({
  ...{ document_id: document.id, reader: `user:${document.created_by}` },
  ...{ version_sha256: digestOf(document, 1), pages: 2, last_page: 2, furthest: 2 },
  ...{ first_at: document.created_at, last_at: document.created_at, asked_at: null },
})

const archiveOf = (document: DocumentRow, now: Instant, index: number) => ({
  ...{ document_id: document.id, office_id: document.office_id, version: document.version },
  ...{ state: index % 10 === 0 ? 'waiting' : 'kept', state_since: document.created_at },
  ...{ attempts: 0, due_at: after(now, FAR), holds_until: after(now, FAR), fault: null },
})

const constanciaOf = (document: DocumentRow) => ({
  ...{ id: randomUUID(), office_id: document.office_id, document_id: document.id },
  ...{ version: document.version, sha256: digestOf(document, document.version), state: 'issued' },
  ...{ requested_at: document.created_at, requested_by: null, attempts: 1, next_attempt_at: null },
  ...{ last_error: null, provider_id: null, request: null, answer: new Uint8Array(1000) },
  ...{
    time: document.created_at,
    policy: '1.2.3',
    authority: 'PSC',
    issued_at: document.created_at,
  },
})

const reportOf = (document: DocumentRow) => ({
  ...{ sha256: digestOf(document, document.version), trust_fingerprint: 'before' },
  ...{ report: REPORT, at: document.created_at },
})

const MAIL_STATES = ['sent', 'sent', 'sent', 'sent', 'discarded', 'failed'] as const

function mailAbout(document: DocumentRow, { now }: Growth, index: number) {
  return {
    ...{ id: randomUUID(), office_id: document.office_id, kind: 'signing-completed' },
    ...{ to_name: 'Iván Núñez', to_address: 'ivan@ejemplo.example', subject: document.title },
    ...{
      text: 'Está firmado.',
      html: '<p>Está firmado.</p>',
      key_version: null,
      sealed_body: null,
    },
    ...{ attachments: null, about: null, created_at: document.created_at },
    ...{ expires_at: after(now, FAR), state: MAIL_STATES[index % MAIL_STATES.length] ?? 'sent' },
    ...{ state_since: document.created_at, attempts: 1, next_attempt_at: after(now, FAR) },
    ...{ leased_until: null, last_error: null, discarded_because: null },
  }
}

function presenceRows(documents: readonly DocumentRow[]) {
  const proofs = documents.map((document) => ({ document, id: randomUUID() }))
  const list = new Uint8Array(200)
  return {
    presence_proofs: proofs.map(({ document, id }) => ({
      ...{ id, office_id: document.office_id, user_id: document.created_by, method: 'TOTP', list },
      ...{ list_sha256: sha256(list), at: document.created_at, expires_at: document.created_at },
      ...{ nonce: null, challenge: null, rp_id: null, origin: null, credential_id: null },
      ...{ public_key: null, counter_before: null, client_data: null, authenticator_data: null },
      ...{ signature: null, factor_id: null, time_step: 1 },
    })),
    presence_proof_documents: proofs.map(({ document, id }) => ({
      proof_id: id,
      document_id: document.id,
    })),
  }
}

const acknowledgementOf = (document: DocumentRow) => ({
  ...{ document_id: document.id, judgement: sha256(document.id), statements: '[]' },
  ...{ acknowledged_by: document.created_by, user_id: document.created_by },
  ...{ session_signer_id: null, verdict: 'INDETERMINATE', sentence: 'Está avisado.' },
  ...{ findings: '[]', at: document.created_at },
})

const copyOf = (document: DocumentRow) => ({
  ...{ id: randomUUID(), document_id: document.id, kind: 'testimony', ordinal: 1, part: null },
  ...{ recipient_name: 'Iván Núñez', recipient_rfc: null, recipient_character: 'Comprador' },
  ...{ sheets: 12, issued_on: '2026-11-20', note: null, version: document.version },
  ...{ at: document.created_at, by_user: document.created_by },
})

const cancellationOf = ({ id, at, by_user }: ReturnType<typeof copyOf>) => ({
  ...{ copy_id: id, cancelled_at: at, cancelled_by: by_user, reason: 'Se repitió' },
})

const pictureConsentOf = (document: DocumentRow) => ({
  ...{ document_id: document.id, party: document.created_by, user_id: document.created_by },
  ...{ session_signer_id: null, state: 'given', since: document.created_at },
})
