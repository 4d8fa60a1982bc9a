import { findAct } from '#server/db/signing-sessions/acts.ts'
import { replaceSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { ActId, SigningSessionId } from '#server/domain/ids.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import type { System } from '#server/system.ts'
import { editDraft } from './edit-draft.ts'
import { actFacts, mustBeAhead, type SessionData, sessionActFrom } from './session-data.ts'

export type ChangeSigningSession = Pick<SessionData, 'title' | 'message' | 'deadline' | 'actId'> & {
  signingSessionId: SigningSessionId
}

/**
 * Changes the title, message, deadline or act of a session that is not open yet.
 *
 * @throws {Problem} `session-deadline`; `not-found` for an act that is not in use; and see `editDraft`
 */
export async function changeSigningSession(
  system: System,
  actor: Actor,
  { signingSessionId: id, title, message, deadline, actId }: ChangeSigningSession,
): Promise<void> {
  await editDraft(system, actor, id, async (trx, { session }, by, at) => {
    mustBeAhead(deadline, at)
    const act = await nextAct(trx, by, session, actId)
    await replaceSigningSession(trx, session, { ...session, title, message, deadline, act })
    return { title, ...(actId !== undefined && actFacts(act)) }
  })
}

/** The same act stays as it was if the office has retired it meanwhile. */
async function nextAct(
  trx: Transaction,
  by: Person,
  { act }: SigningSession,
  asked: ActId | null | undefined,
): Promise<SigningSession['act']> {
  if (asked === undefined) return act
  if (asked === null) return null
  const known = await findAct(trx, by.officeId, asked)
  return act?.id === asked && known?.state !== 'active' ? act : await sessionActFrom(trx, by, asked)
}
