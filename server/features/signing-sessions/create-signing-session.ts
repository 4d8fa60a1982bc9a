import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { appendEvents } from '#server/db/audit/audit-events.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { insertSigners } from '#server/db/signing-sessions/signers.ts'
import {
  findSigningSessions,
  insertSigningSession,
} from '#server/db/signing-sessions/signing-sessions.ts'
import type { Reader } from '#server/db/transaction.ts'
import { idMadeOnce } from '#server/domain/crypto/made-once.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { SigningSessionId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { onePersonOnce } from '#server/domain/signing/session/one-person-signs-once.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { rememberParties } from '#server/steps/signing/remember-parties.ts'
import type { System } from '#server/system.ts'
import {
  actFacts,
  mustBeAhead,
  mustBeFreshDocuments,
  partiesIn,
  SessionData,
  sessionActFrom,
  signersFrom,
  UNOPENED,
} from './session-data.ts'

export const CreateSigningSession = SessionData.extend({
  /** Made by the page of the form: the same one makes no second session. */
  once: z.uuid().optional(),
})
export type CreateSigningSession = z.infer<typeof CreateSigningSession>

/**
 * Creates a draft session: it notifies no one and holds no document until it is opened. A form that is sent twice gets the
 * session that it made first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `session-deadline`, `document-final`,
 *   `character-missing`, `signer-twice`, `signer-differs`
 */
export async function createSigningSession(
  system: System,
  actor: Actor,
  input: CreateSigningSession,
): Promise<SigningSession> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'signing-sessions.manage', own, at)
  const id = SigningSessionId.parse(
    input.once === undefined ? randomUUID() : idMadeOnce(person.userId, input.once),
  )
  const made = await findMade(db, id)
  if (made) return made
  mustBeAhead(input.deadline, at)
  await mustBeFreshDocuments(db, person, input.documentIds)
  const { title, message, deadline, actId } = input
  const act = actId ? await sessionActFrom(db, person, actId) : null
  const session: SigningSession = {
    id,
    officeId: person.officeId,
    title,
    message: message || null,
    deadline,
    state: 'draft',
    stateSince: at,
    stateBy: person.userId,
    stateReason: null,
    createdAt: at,
    createdBy: person.userId,
    act,
  }
  const signers = onePersonOnce(await signersFrom(db, person, session.id, input.signers, at))
  const documents = input.documentIds.map((id) => ({ id, ...UNOPENED }))

  return await db.transaction(async (trx) => {
    await lockUntilCommit(trx, `making:${id}`)
    const madeMeanwhile = await findMade(trx, id)
    if (madeMeanwhile) return madeMeanwhile
    await insertSigningSession(trx, session, documents)
    await insertSigners(trx, signers)
    const remembered = await rememberParties(trx, person, partiesIn(input.signers), at)
    await appendEvents(trx, [
      ...remembered,
      {
        actor,
        at,
        action: 'signing-session.created',
        subject: { kind: 'signing-session', id: session.id },
        details: { documents: documents.length, signers: signers.length, ...actFacts(act) },
      },
    ])
    return session
  })
}

const findMade = async (db: Reader, id: SigningSessionId): Promise<SigningSession | undefined> =>
  (await findSigningSessions(db, [id])).get(id)
