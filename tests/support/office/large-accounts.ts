import { randomUUID } from 'node:crypto'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { partsOf } from '#server/domain/documents/search/similar.ts'
import { before, days, hours, minutes } from '#server/domain/time.ts'
import type { Growth } from './large-office.ts'
import type { RowsByTable } from './many-rows.ts'

/** One of these rows for so many documents. */
const EACH = {
  word: 5,
  session: 1,
  device: 10,
  activation: 10,
  attempts: 10,
  over: 10,
  party: 5,
  answer: 5,
}

/** The sign-ins, parties and answers of the years in which the documents `start` to `end` came. */
export function accountRows(growth: Growth, start: number, end: number): RowsByTable {
  const every = (step: number) =>
    Array.from({ length: end - start }, (_, index) => start + index).filter(
      (number) => number % step === 0,
    )
  const sessions = every(EACH.session).map((number) => sessionAt(growth, number))
  const words = every(EACH.word).map((number) => ({
    ...{ office_id: growth.office.id, word: `granja${letters(number).toLowerCase()}` },
  }))
  return {
    search_words: words,
    search_word_parts: words.flatMap(({ office_id, word }) =>
      partsOf(word).map((part) => ({ office_id, part, word })),
    ),
    sessions: sessions.map(({ session }) => session),
    session_tokens: sessions.flatMap(({ tokens }) => tokens),
    known_devices: every(EACH.device).map((number) => deviceAt(growth, number)),
    activations: every(EACH.activation).map((number) => activationAt(growth, number)),
    attempts: every(EACH.attempts).map((number) => attemptsAt(growth, number)),
    sign_ins: every(EACH.over).map((number) => signInAt(growth, number)),
    webauthn_challenges: every(EACH.over).map((number) => challengeAt(growth, number)),
    parties: every(EACH.party).map((number) => partyAt(growth, number)),
    revocation_answers: every(EACH.answer).map((number) => answerAt(growth, number)),
  }
}

const personAt = ({ people }: Growth, number: number) => {
  const person = people[Math.floor(number / EACH.session) % people.length]
  if (!person) throw new Error('a large office has people')
  return person
}

/** The last fortieth of the sessions is of yesterday, and still has tokens. */
function sessionAt(growth: Growth, number: number) {
  // Half of them are of one person.
  const { id: user_id, officeId: office_id } = personAt(growth, number % 2 === 0 ? 0 : number)
  const id = randomUUID()
  const isNew = number >= (growth.documents * 39) / 40
  const at = isNew ? before(growth.now, days(1)) : before(growth.now, days(10 + (number % 1000)))
  const session = {
    ...{ id, user_id, office_id, device: 'Chrome en Windows', ip: '203.0.113.7', browser: null },
    ...{ created_at: at, last_seen_at: at, expires_at: at, generation: 1, proven_at: at },
    ...{ second_factor: 'TOTP', second_factor_at: at, ended_at: at, ended_by: user_id },
    ...{ end_reason: 'signed-out', tokens_deleted_at: isNew ? null : at },
  }
  const tokens = isNew
    ? ['access', 'refresh'].map((kind) => ({
        ...{ token_hash: sha256(`${id} ${kind}`), session_id: id, kind, generation: 1 },
        ...{ cause: 'sign-in', created_at: at, expires_at: at, used_at: null, replaced_at: null },
      }))
    : []
  return { session, tokens }
}

const deviceAt = (growth: Growth, number: number) => ({
  ...{ user_id: personAt(growth, number).id, browser: sha256(`device ${number}`) },
  ...{ device: 'Chrome en Windows', first_seen_at: growth.now, last_seen_at: growth.now },
})

const activationAt = (growth: Growth, number: number) => {
  const at = before(growth.now, days(number % 1000))
  const { id } = personAt(growth, number)
  return {
    ...{ id: randomUUID(), code_hash: sha256(`code ${number} ${id}`), user_id: id },
    ...{ purpose: 'recovery', created_at: at, created_by: id, expires_at: at, state: 'used' },
    state_since: at,
  }
}

/** Over since an hour: the job deletes them. */
const attemptsAt = ({ now, office }: Growth, number: number) => ({
  ...{ key: `test:${office.id}:${number}`, window_started_at: before(now, days(2)), attempts: 1 },
  ...{ refused: 0, blocked_until: before(now, hours(1)) },
})

const signInAt = (growth: Growth, number: number) => {
  const at = before(growth.now, days(2))
  const { id: user_id, officeId: office_id } = personAt(growth, number)
  return {
    ...{ id: randomUUID(), token_hash: sha256(`sign-in ${number} ${user_id}`), user_id, office_id },
    ...{ created_at: at, expires_at: at, attempts: 0, state: 'open', state_since: at },
  }
}

const challengeAt = (growth: Growth, number: number) => {
  const id = randomUUID()
  return {
    ...{ id, challenge: id, purpose: 'sign-in', bearer: id, user_id: personAt(growth, number).id },
    ...{ created_at: before(growth.now, minutes(10)), expires_at: before(growth.now, days(2)) },
    used_at: null,
  }
}

const partyAt = (growth: Growth, number: number) => ({
  ...{ id: randomUUID(), office_id: growth.office.id, name: `Iván Núñez ${number}`, email: null },
  ...{ rfc: `${letters(number)}800101AB1`, character: 'Comprador' },
  search_text: `ivan nunez ${number}`,
  ...{ at: growth.now, by_user: personAt(growth, number).id },
})

/** Four letters, other ones for each number. */
const letters = (number: number) =>
  [3, 2, 1, 0]
    .map((place) => String.fromCharCode(65 + (Math.floor(number / 26 ** place) % 26)))
    .join('')

const answerAt = ({ now, office }: Growth, number: number) => ({
  ...{ certificate_sha256: sha256(`certificate ${office.id} ${number}`) },
  ...{ issuer_sha256: sha256('issuer'), status: number % 7 === 0 ? 'revoked' : 'good' },
  ...{ der: new Uint8Array(500), fetched_at: now, next_update: null },
})
