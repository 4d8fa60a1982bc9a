import { deadlineView } from '#app/http/deadline.ts'
import type { Figure } from '#server/domain/audit/figure.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'
import type { Activity } from '#server/features/reports/read-activity.ts'
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

const FIGURE_NAMES: Record<Figure, string> = {
  uploaded: 'Documentos subidos',
  signed: 'Firmas',
  completed: 'Sesiones de firma completadas',
  verified: 'Verificaciones del público',
}

const FIGURE_LISTS: Record<Exclude<Figure, 'verified'>, string> = {
  uploaded: '/dashboard/documents',
  signed: '/dashboard/documents?state=signed',
  completed: '/dashboard/signing?show=all&state=completed',
}

/** A figure with the list behind it; verifications are in the log, which not everyone reads. */
export function figureView({ figure, count, weeks }: Activity, roles: readonly Role[]) {
  const shown = { name: FIGURE_NAMES[figure], count: count.toLocaleString('es-MX'), weeks }
  if (figure !== 'verified') return { ...shown, to: FIGURE_LISTS[figure] }
  const isReader = isAllowed(roles, 'audit.read')
  return isReader ? { ...shown, to: '/dashboard/audit?text=documento+verificado' } : shown
}
