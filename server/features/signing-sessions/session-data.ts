import { z } from 'zod'
import { findDocuments } from '#server/db/documents/documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUsers } from '#server/db/people/users.ts'
import { findAct } from '#server/db/signing-sessions/acts.ts'
import { timeOrderedId } from '#server/db/time-ordered-id.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { DeclaredCharacter } from '#server/domain/identity/signing-character.ts'
import type { User } from '#server/domain/identity/user.ts'
import {
  ActId,
  DocumentId,
  type OfficeId,
  SignerId,
  type SigningSessionId,
  UserId,
} from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { actIn, type SessionAct } from '#server/domain/signing/act/act.ts'
import { PartyData } from '#server/domain/signing/session/party.ts'
import { OF_OFFICE } from '#server/domain/signing/session/requested-character.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import {
  SigningSessionMessage,
  SigningSessionTitle,
} from '#server/domain/signing/session/signing-session.ts'
import { Instant } from '#server/domain/time.ts'

/** More could not be prepared before a browser times out. */
export const MOST_DOCUMENTS = 500
export const MOST_SIGNERS = 40

/** A requested signer: a user of the office, or an external person. */
export const RequestedSigner = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('user'),
    userId: UserId,
    /** Null: as their role and capacity say on the day of signing. */
    character: DeclaredCharacter.nullable(),
    step: z.int().positive().max(MOST_SIGNERS),
  }),
  z.object({
    kind: z.literal('external'),
    ...PartyData.shape,
    step: z.int().positive().max(MOST_SIGNERS),
  }),
])
export type RequestedSigner = z.infer<typeof RequestedSigner>

/** The external persons among those asked; the catalogue keeps them. */
export const partiesIn = (asked: readonly RequestedSigner[]): PartyData[] =>
  asked.flatMap((one) => {
    if (one.kind === 'user') return []
    const { name, rfc, email, character } = one
    return [{ name, rfc, email, character }]
  })

/** The data of a draft session. */
export const SessionData = z.object({
  title: SigningSessionTitle,
  message: SigningSessionMessage.nullable(),
  /** Null for no deadline. */
  deadline: Instant.nullable(),
  documentIds: z
    .array(DocumentId)
    .min(1)
    .max(MOST_DOCUMENTS)
    .transform((ids) => [...new Set(ids)]),
  /** The act that it is made for; null for none. */
  actId: ActId.nullable().optional(),
  /** More can be added until the session is opened. */
  signers: z.array(RequestedSigner).max(MOST_SIGNERS),
})
export type SessionData = z.infer<typeof SessionData>

/** A document of a session that was not opened. */
export const UNOPENED = { completedVersion: null, baseVersion: null, fields: [] } as const

/**
 * The act as the office has it now, for its own state of the federation.
 *
 * @throws {Problem} `not-found` for an act that the office does not have, or has retired
 */
export async function sessionActFrom(
  db: Reader,
  { officeId }: Person,
  id: ActId,
): Promise<SessionAct> {
  const office = await findOffice(db, officeId)
  const act = await findAct(db, officeId, id)
  if (!office || act?.state !== 'active') throw new Problem('not-found', `no act ${id} in use`)
  return actIn(act, office.entity)
}

/** What the log keeps of a session's act. */
export const actFacts = (act: SessionAct | null): { act?: string; electronic?: string } =>
  act === null ? {} : { act: act.name, electronic: act.electronic.answer }

/** @throws {Problem} `session-deadline` when the deadline has passed */
export function mustBeAhead(deadline: Instant | null, now: Instant): void {
  if (deadline !== null && deadline <= now)
    throw new Problem('session-deadline', `${deadline} has passed`)
}

/**
 * Checks documents that go into a session like any other. A complete one takes a further signature only through
 * `beginFurtherSession`.
 *
 * @throws {Problem} `not-found` for a document that is unknown or of another office; `document-final`
 */
export async function mustBeFreshDocuments(
  db: Reader,
  { officeId }: Person,
  documentIds: readonly DocumentId[],
): Promise<void> {
  const documents = await findDocuments(db, documentIds)
  const missing = documentIds.find((id) => documents.get(id)?.officeId !== officeId)
  if (missing) throw new Problem('not-found', `no document ${missing}`)
  const final = documentIds.find((id) => documents.get(id)?.state === 'signed')
  if (final) throw new Problem('document-final', `${final} is complete`)
}

/**
 * One signer for each person asked.
 *
 * @throws {Problem} `not-found` for a user who is unknown or of another office; `character-missing` for one who
 *   has no character by office and is given none
 */
export async function signersFrom(
  db: Reader,
  { officeId }: Person,
  signingSessionId: SigningSessionId,
  asked: readonly RequestedSigner[],
  at: Instant,
): Promise<Signer[]> {
  const users = await findUsers(
    db,
    asked.flatMap((one) => (one.kind === 'user' ? one.userId : [])),
  )
  return asked.map((one, index) => ({
    id: SignerId.parse(timeOrderedId(at)),
    signingSessionId,
    place: index + 1,
    step: one.step,
    ...(one.kind === 'user' ? userAs(officeId, one, users.get(one.userId)) : externalAs(one)),
    character: one.character === null ? OF_OFFICE : { kind: 'declared', texts: [one.character] },
    state: 'pending',
    stateSince: at,
    stateReason: null,
    replacedBy: null,
    stateProof: null,
    remindedAt: null,
  }))
}

type AskedUser = Extract<RequestedSigner, { kind: 'user' }>

function userAs(officeId: OfficeId, { userId, character }: AskedUser, user: User | undefined) {
  if (user?.officeId !== officeId) throw new Problem('not-found', `no user ${userId}`)
  const signsByOffice = user.roles.includes('NOTARY') || user.roles.includes('LAWYER')
  if (character === null && !signsByOffice)
    throw new Problem('character-missing', `${userId} is neither notary nor lawyer`)
  // The address is read when the mail is written, because it may change.
  return { userId, name: fullName(user), email: null, rfc: user.rfc }
}

const externalAs = ({ name, email, rfc }: Extract<RequestedSigner, { kind: 'external' }>) => ({
  userId: null,
  name,
  email,
  rfc,
})
