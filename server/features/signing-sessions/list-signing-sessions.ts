import { z } from 'zod'
import { countProgress } from '#server/db/signing-sessions/progress.ts'
import { listSigningSessions as listRows } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { SigningSessionId } from '#server/domain/ids.ts'
import { cursorText, pageCursor } from '#server/domain/page-cursor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { Progress } from '#server/domain/signing/session/ceremony.ts'
import {
  type SigningSession,
  SigningSessionState,
} from '#server/domain/signing/session/signing-session.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const ListSigningSessions = z.object({
  whose: z.enum(['all', 'mine']).default('all'),
  state: SigningSessionState.optional(),
  /** The `next` of the previous page. */
  behind: pageCursor(SigningSessionId).optional(),
})
export type ListSigningSessions = z.infer<typeof ListSigningSessions>

export type ListedSession = {
  session: SigningSession
  /** How many it has. */
  documents: number
  progress: Progress
}

export type SigningSessionPage = {
  sessions: ListedSession[]
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
}

const PAGE = 25

/**
 * A page of the office's signing sessions, newest first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listSigningSessions(
  system: System,
  actor: Actor,
  { whose, state, behind }: ListSigningSessions,
): Promise<SigningSessionPage> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'signing-sessions.read', own, clock.now())
  const rows = await listRows(db, {
    officeId: person.officeId,
    state,
    ...(whose === 'mine' && { createdBy: person.userId }),
    behind,
    limit: PAGE + 1,
  })
  const shown = rows.slice(0, PAGE)
  const counts = await countProgress(
    db,
    shown.map(({ id }) => id),
  )
  const sessions = shown.map((session): ListedSession => {
    const { documents = 0, asked = 0, made = 0 } = counts.get(session.id) ?? {}
    return { session, documents, progress: { made, wanted: asked * documents } }
  })
  const last = rows.length > PAGE ? rows[PAGE - 1] : undefined
  return { sessions, next: last && cursorText({ at: last.createdAt, id: last.id }) }
}
