import { deadlineView } from '#app/http/deadline.ts'
import { documentRow } from '#app/http/documents/document-row.ts'
import { formatDay } from '#server/domain/time.ts'
import type { WaitingDocument } from '#server/features/signatures/list-my-turns.ts'
import type { ListedSession } from '#server/features/signing-sessions/list-signing-sessions.ts'

/** A document that waits for the user's signature, as a row shows it. */
export type TurnRow = ReturnType<typeof turnRow>

export function turnRow({ session, document, turn }: WaitingDocument, timeZone: string) {
  return {
    ...documentRow(document, timeZone),
    session: session.id,
    sessionTitle: session.title,
    turn,
    deadline: deadlineView(session.deadline, timeZone),
  }
}

/** A signing session, as a row shows it. */
export type SessionRow = ReturnType<typeof sessionRow>

export function sessionRow({ session, documents, progress }: ListedSession, timeZone: string) {
  return {
    id: session.id,
    title: session.title,
    state: session.state,
    documents,
    ...progress,
    deadline: deadlineView(session.deadline, timeZone),
    created: formatDay(session.createdAt, timeZone),
    createdAt: session.createdAt as number,
  }
}
