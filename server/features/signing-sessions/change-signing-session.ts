import { replaceSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { SigningSessionId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { editDraft } from './edit-draft.ts'
import { mustBeAhead, type SessionData } from './session-data.ts'

export type ChangeSigningSession = Pick<SessionData, 'title' | 'message' | 'deadline'> & {
  signingSessionId: SigningSessionId
}

/**
 * Changes the title, message or deadline of a session that is not open yet.
 *
 * @throws {Problem} `session-deadline`, and see `editDraft`
 */
export async function changeSigningSession(
  system: System,
  actor: Actor,
  { signingSessionId: id, title, message, deadline }: ChangeSigningSession,
): Promise<void> {
  await editDraft(system, actor, id, async (trx, { session }, _by, at) => {
    mustBeAhead(deadline, at)
    await replaceSigningSession(trx, session, { ...session, title, message, deadline })
    return { title }
  })
}
