import { deadlineView } from '#app/http/deadline.ts'
import type { WaitingDocument } from '#server/features/signatures/list-my-turns.ts'
import type { DueSession } from '#server/features/signing-sessions/list-due-sessions.ts'

/** A document that waits for a signature, with its deadline in the office's time zone. */
export function turnRow({ document, session }: WaitingDocument, timeZone: string) {
  return {
    id: document.id,
    title: document.title,
    folio: document.folio,
    session: { id: session.id, title: session.title },
    deadline: deadlineView(session.deadline, timeZone),
  }
}

export type TurnRow = ReturnType<typeof turnRow>

/** A session whose deadline has passed or is near. */
export function dueRow({ id, title, deadline, isLate }: DueSession, timeZone: string) {
  return {
    ...{ id, title, isLate },
    deadline: deadlineView(deadline, timeZone),
  }
}

export type DueRow = ReturnType<typeof dueRow>
