import { appendEvent } from '#server/db/audit-events.ts'
import { insertSigner, removeSigners } from '#server/db/signers.ts'
import { replaceSessionDocuments, replaceSigningSession } from '#server/db/signing-sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import type { System } from '#server/system.ts'
import { findManagedSession, holdCeremony } from './find-managed-session.ts'
import { mustBeAhead, mustBeOwnDocuments, SessionData, signersFrom } from './session-data.ts'

export const ChangeSigningSession = SessionData.extend({ signingSessionId: SigningSessionId })
export type ChangeSigningSession = SessionData & { signingSessionId: SigningSessionId }

/**
 * Replaces what a session is made of, as long as it was not opened.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `session-deadline`; `session-state` once it
 *   was opened
 */
export async function changeSigningSession(
  system: System,
  actor: Actor,
  input: ChangeSigningSession,
): Promise<SigningSession> {
  const { db, clock } = system
  const at = clock.now()
  const { signingSessionId: id, title, message, deadline } = input
  const { person, subject } = await findManagedSession(system, actor, id, at)
  mustBeAhead(deadline, at)
  await mustBeOwnDocuments(db, person, input.documentIds)
  const signers = await signersFrom(db, person, id, input.signers, at)
  const documents = input.documentIds.map((one) => ({ id: one, baseVersion: null, fields: [] }))

  return await db.transaction(async (trx) => {
    const { session } = await holdCeremony(trx, id)
    if (session.state !== 'draft') throw new Problem('session-state', `${id} is ${session.state}`)
    const next = { ...session, title, message: message || null, deadline }
    await replaceSigningSession(trx, session, next)
    await replaceSessionDocuments(trx, id, documents)
    await removeSigners(trx, id)
    for (const signer of signers) await insertSigner(trx, signer)
    await appendEvent(trx, {
      actor,
      at,
      action: 'signing-session.changed',
      subject,
      details: { documents: documents.length, signers: signers.length },
    })
    return next
  })
}
