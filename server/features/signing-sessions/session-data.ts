import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { findDocuments } from '#server/db/documents/documents.ts'
import { findUsers } from '#server/db/people/users.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { Email } from '#server/domain/identity/email.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import type { User } from '#server/domain/identity/user.ts'
import {
  DocumentId,
  type OfficeId,
  SignerId,
  type SigningSessionId,
  UserId,
} from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { type Signer, SignerCharacter, SignerName } from '#server/domain/signing/session/signer.ts'
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
    /** Null: taken from their capacity on the day of signing. */
    character: SignerCharacter.nullable(),
    step: z.int().positive().max(MOST_SIGNERS),
  }),
  z.object({
    kind: z.literal('external'),
    name: SignerName,
    email: Email.nullable(),
    rfc: Rfc,
    character: SignerCharacter,
    step: z.int().positive().max(MOST_SIGNERS),
  }),
])
export type RequestedSigner = z.infer<typeof RequestedSigner>

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
  /** More can be added until the session is opened. */
  signers: z.array(RequestedSigner).max(MOST_SIGNERS),
})
export type SessionData = z.infer<typeof SessionData>

/** @throws {Problem} `session-deadline` when the deadline has passed */
export function mustBeAhead(deadline: Instant | null, now: Instant): void {
  if (deadline !== null && deadline <= now)
    throw new Problem('session-deadline', `${deadline} has passed`)
}

/** @throws {Problem} `not-found` for a document that is unknown or of another office */
export async function mustBeOwnDocuments(
  db: Reader,
  { officeId }: Person,
  documentIds: readonly DocumentId[],
): Promise<void> {
  const documents = await findDocuments(db, documentIds)
  const missing = documentIds.find((id) => documents.get(id)?.officeId !== officeId)
  if (missing) throw new Problem('not-found', `no document ${missing}`)
}

/** @throws {Problem} `not-found` for a user who is unknown or of another office */
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
    id: SignerId.parse(randomUUID()),
    signingSessionId,
    place: index + 1,
    step: one.step,
    ...(one.kind === 'user'
      ? userAs(officeId, one.userId, users.get(one.userId))
      : externalAs(one)),
    character: one.character,
    state: 'pending',
    stateSince: at,
    stateReason: null,
    replacedBy: null,
    remindedAt: null,
  }))
}

function userAs(officeId: OfficeId, userId: UserId, user: User | undefined) {
  if (user?.officeId !== officeId) throw new Problem('not-found', `no user ${userId}`)
  // The address is read when the mail is written, because it may change.
  return { userId, name: fullName(user), email: null, rfc: user.rfc }
}

const externalAs = ({ name, email, rfc }: Extract<RequestedSigner, { kind: 'external' }>) => ({
  userId: null,
  name,
  email,
  rfc,
})
