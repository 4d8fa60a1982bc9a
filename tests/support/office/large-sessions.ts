import { randomUUID } from 'node:crypto'
import type { DocumentRow } from '#server/db/tables/documents.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { SigningSessionState } from '#server/domain/signing/session/signing-session.ts'
import { after, before, days, EPOCH } from '#server/domain/time.ts'
import type { Growth } from './large-office.ts'

/** Documents of a session. */
const DOCUMENTS = 10

/** Of twenty sessions one is in each of the other states. */
const OTHERS: readonly SigningSessionState[] = ['open', 'cancelled', 'expired', 'draft']

const stateAt = (session: number): SigningSessionState => OTHERS[session % 20] ?? 'completed'

/** The state of the session that has this document. */
export const stateOfSession = (document: number) => stateAt(Math.floor(document / DOCUMENTS))

/**
 * One session for ten of these documents, the first of which is number `start`. A person signs first, then a party
 * from outside; every tenth open session waits for the first person of the office.
 */
export function sessionRows(growth: Growth, start: number, documents: readonly DocumentRow[]) {
  const sessions = Array.from({ length: Math.floor(documents.length / DOCUMENTS) }, (_, index) => {
    const held = documents.slice(index * DOCUMENTS, (index + 1) * DOCUMENTS)
    return sessionAt(growth, start / DOCUMENTS + index, held)
  })
  return {
    signing_sessions: sessions.map(({ session }) => session),
    session_documents: sessions.flatMap(({ held }) => held),
    signers: sessions.flatMap(({ signers }) => signers),
    signing_links: sessions.map(({ link }) => link),
  }
}

function sessionAt(growth: Growth, number: number, documents: readonly DocumentRow[]) {
  const [first] = documents
  if (!first) throw new Error('a session holds documents')
  const { created_at: at, created_by: author, office_id } = first
  const state = stateAt(number)
  const id = randomUUID()
  const deadline =
    state === 'open' ? after(growth.now, days(5 + (number % 60))) : before(growth.now, days(1))
  const session = {
    ...{ id, office_id, title: `Compraventa ${number}`, message: null, deadline, state },
    ...{
      state_since: at,
      state_by: author,
      state_reason: null,
      created_at: at,
      created_by: author,
    },
  }
  const held = documents
    .filter((document) => document.state !== 'cancelled')
    .map((document, index) => ({
      ...{ signing_session_id: id, document_id: document.id, position: index + 1 },
      ...{ completed_version: null, base_version: 1, fields: '[]' },
    }))
  const signer = {
    ...{ signing_session_id: id, rfc: 'NUPB801201QX7', character: 'Comprador' },
    ...{ state: state === 'completed' ? 'signed' : 'pending', state_since: at, state_reason: null },
    ...{ replaced_by: null, reminded_at: null, awaited_since: state === 'open' ? at : EPOCH },
    ...{ turn_since: state === 'open' ? at : EPOCH },
    reminder_due: state === 'open' ? after(growth.now, days(1)) : EPOCH,
  }
  const others = growth.people.length - 1
  const person = growth.people[number % 200 === 0 ? 0 : 1 + (number % others)]
  const own = {
    ...{ ...signer, id: randomUUID(), place: 1, step: 1, user_id: person?.id ?? null },
    ...{ name: person?.firstName ?? '', email: null },
  }
  const external = {
    ...{ ...signer, id: randomUUID(), place: 2, step: 2, user_id: null },
    ...{ name: 'Benito Núñez', email: 'benito@ejemplo.example' },
  }
  const link = {
    ...{ id: randomUUID(), signer_id: external.id, code_hash: sha256(external.id) },
    ...{ created_at: at, created_by: author, expires_at: at, state: 'revoked', state_since: at },
    ...{ token_hash: null, opened_at: null, consented_at: null, consent_text: null },
  }
  return { session, held, signers: [own, external], link }
}
