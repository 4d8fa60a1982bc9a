import type { Database } from '#server/db/database.ts'
import { findUser } from '#server/db/people/users.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Actor, Guest, Person, Signatory } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { Rfc } from '#server/domain/identity/rfc.ts'
import type { SigningCharacter } from '#server/domain/identity/signing-character.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { SignerId, UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { HeldDocument } from '#server/domain/signing/session/ceremony.ts'
import { characterAt, OF_OFFICE } from '#server/domain/signing/session/requested-character.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { isOpenAt } from '#server/domain/signing/session/signing-session.ts'
import { type Turn, turnOf } from '#server/domain/signing/session/turns.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { Signable } from './find-signable.ts'

/** The prospective signer. */
export type SigningParty = {
  actor: Signatory
  /** Null for an external signer. */
  userId: UserId | null
  name: string
  /** Only an e.firma with this RFC is accepted. */
  rfc: Rfc
  /** Undefined if nothing lets them sign now: no capacity in force, no declared character. */
  character: SigningCharacter | undefined
  /** The signer of the session that holds the document; null for a direct signature. */
  signer: Signer | null
  /** `now` for a direct signature. */
  turn: Turn
}

/**
 * A signer as rows name them: a user, a signer of a session, or both. Only the signer who prepared a signature
 * completes it.
 */
export type SigningIdentity = { userId: UserId | null; signerId: SignerId | null }

export const identityOf = ({ userId, signer }: SigningParty): SigningIdentity => ({
  userId,
  signerId: signer?.id ?? null,
})

export const isSameIdentity = (one: SigningIdentity, other: SigningIdentity) =>
  one.userId === other.userId && one.signerId === other.signerId

/**
 * Authorizes the actor to sign a document, and records a refusal. Returns how they would sign: as a signer of
 * the session that holds the document, or directly if no session does.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `not-a-signer`, `consent-needed`
 */
export async function authorizeParty(
  db: Database,
  actor: Actor,
  signable: Signable,
  at: Instant,
): Promise<SigningParty> {
  const party = await authorizeReading(db, actor, signable, at)
  mustHaveConsented(actor)
  return party
}

/**
 * The same to read a document before signing it, which an external signer may do before they accept the aviso de privacidad.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `not-a-signer`
 */
export async function authorizeReading(
  db: Database,
  actor: Actor,
  signable: Signable,
  at: Instant,
): Promise<SigningParty> {
  const [party] = await partiesOf(db, actor, [signable], at)
  if (!party) throw new Error('one party for each document')
  return party
}

/**
 * The same for several documents, in their order.
 *
 * @throws {Problem} see `authorizeParty`, for the first document that is refused
 */
export async function authorizeParties(
  db: Database,
  actor: Actor,
  signables: readonly Signable[],
  at: Instant,
): Promise<SigningParty[]> {
  const parties = await partiesOf(db, actor, signables, at)
  mustHaveConsented(actor)
  return parties
}

/** Checked last: a link does not reveal that a document of another session exists. */
function mustHaveConsented(actor: Actor): void {
  if (actor.kind === 'guest' && actor.consentedAt === null)
    throw new Problem('consent-needed', `${actor.signerId} did not agree yet`)
}

async function partiesOf(
  db: Database,
  actor: Actor,
  signables: readonly Signable[],
  at: Instant,
): Promise<SigningParty[]> {
  if (actor.kind === 'guest') return signables.map((signable) => guestParty(actor, signable, at))
  const persons: Person[] = []
  // No query per document: only a refusal is written, and it ends the loop.
  for (const { document, held } of signables) {
    const subject = { kind: 'document', id: document.id } as const
    const action = held ? 'document.sign-in-session' : 'document.sign'
    persons.push(await authorizeOrRecord(db, actor, action, document, at, subject))
  }
  const [person] = persons
  if (!person) return []
  const signers = signables.map(({ held }) => (held ? mustBeSigner(held, person) : null))
  const account = await accountOf(db, person)
  return signables.map(({ held }, index) => {
    const signer = signers[index] ?? null
    return {
      actor: person,
      userId: person.userId,
      name: fullName(person),
      rfc: signer?.rfc ?? person.rfc,
      character: characterAt(signer?.character ?? OF_OFFICE, account, at),
      signer,
      turn: signer && held ? turnIn(held, signer) : 'now',
    }
  })
}

/** @throws {Problem} `not-your-turn`, `already-signed`, `not-a-signer`, `session-overdue` */
export function mustBeTheirTurn(
  { turn }: SigningParty,
  { held, document }: Signable,
  now: Instant,
): void {
  if (turn === 'signed') throw new Problem('already-signed', `on ${document.id}`)
  if (held && !isOpenAt(held.session, now))
    throw new Problem('session-overdue', `${held.session.id} could be signed until then`)
  if (turn === 'waiting') throw new Problem('not-your-turn', `others sign ${document.id} before`)
  if (turn === 'gone') throw new Problem('not-a-signer', `of ${document.id} any more`)
}

function guestParty(guest: Guest, signable: Signable, at: Instant): SigningParty {
  const { document, held } = signable
  const signer = held?.signers.find(({ id }) => id === guest.signerId)
  // Same answer as for a document that does not exist: a link shows only its own session.
  if (!held || !signer || held.session.id !== guest.signingSessionId)
    throw new Problem('not-found', `${document.id} is not held for ${guest.signerId}`)
  return {
    actor: guest,
    userId: null,
    name: signer.name,
    rfc: signer.rfc,
    character: characterAt(signer.character, undefined, at),
    signer,
    turn: turnIn(held, signer),
  }
}

/** A user may be named twice, for themselves and for another person: take the signer whose turn it is. */
function mustBeSigner(held: HeldDocument, { userId }: Person): Signer {
  const own = held.signers.filter((signer) => signer.userId === userId)
  const signer = own.find((one) => turnIn(held, one) === 'now') ?? own.at(-1)
  if (!signer) throw new Problem('not-a-signer', `${userId} is not of session ${held.session.id}`)
  return signer
}

const turnIn = ({ signers, signedBy }: HeldDocument, signer: Signer) =>
  turnOf(signer, signers, signedBy)

async function accountOf(db: Reader, { userId }: Person): Promise<User> {
  const user = await findUser(db, userId)
  if (!user) throw new Error(`${userId} has a session and no account`)
  return user
}

/** @throws {Problem} `not-signed-in` for an anonymous actor */
export function mustBeSignatory(actor: Actor): Signatory {
  return actor.kind === 'guest' ? actor : mustBeSignedIn(actor)
}
