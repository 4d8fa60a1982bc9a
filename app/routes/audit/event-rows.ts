import type { Person } from '#server/domain/identity/actor.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'
import { formatMinute } from '#server/domain/time.ts'
import type { LogEvent } from '#server/features/audit/export-log.ts'
import { auditActions } from '#server/words/audit/audit-actions.ts'
import { auditSentence, type SentencePart } from '#server/words/audit/audit-sentences.ts'
import { timesOf } from './times-of.ts'

/** An event as the page shows it, in Spanish. */
export type EventRow = {
  /** Unique, where `seq` is unique in its log. */
  position: number
  seq: number
  isRefused: boolean
  /** What happened, in parts; a part with an address is a link. */
  sentence: (SentencePart & { to?: string })[]
  kind: string
  from: string
  at: number
  /** In the office's time zone. */
  when: string
}

export const eventRows = (
  events: readonly LogEvent[],
  reader: Person,
  timeZone: string,
): EventRow[] =>
  events.map((event) => ({
    position: event.position,
    seq: event.seq,
    isRefused: event.result === 'refused',
    sentence: [...linkedSentence(event, reader), ...timesPart(event)],
    kind: auditActions[event.action],
    from: [event.device, event.ip].filter(Boolean).join(', ') || '—',
    at: event.at,
    when: formatMinute(event.at, timeZone),
  }))

function timesPart(event: LogEvent): { text: string }[] {
  const times = timesOf(event)
  return times ? [{ text: ` · ${times.toLocaleString('es-MX')} veces` }] : []
}

function linkedSentence(event: LogEvent, reader: Person): EventRow['sentence'] {
  const { actor, about } = event
  const who = actor.kind === 'person' ? addressOf('user', actor.userId, reader) : undefined
  const addresses = { who, about: about && addressOf(about.kind, about.id, reader) }
  return auditSentence(event).map((part) => {
    const to = part.names && addresses[part.names]
    return to ? { ...part, to } : part
  })
}

/** The page of a subject; undefined if there is none, or the reader may not open it. */
function addressOf(
  kind: NonNullable<LogEvent['about']>['kind'],
  id: string,
  { roles, userId }: Person,
): string | undefined {
  switch (kind) {
    case 'document':
      return isAllowed(roles, 'document.read') ? `/dashboard/documents/${id}` : undefined
    case 'signing-session':
      return isAllowed(roles, 'signing-sessions.read') ? `/dashboard/signing/${id}` : undefined
    case 'user':
      if (id === userId) return '/dashboard/profile'
      return isAllowed(roles, 'users.read') ? `/dashboard/users/${id}` : undefined
    case 'mail':
      return isAllowed(roles, 'mail.read') ? `/dashboard/settings/outbox/${id}` : undefined
    case 'number':
      return isAllowed(roles, 'numbers.read') ? `/dashboard/documents/numbers/${id}` : undefined
    case 'number-series':
      return isAllowed(roles, 'number-series.manage')
        ? `/dashboard/settings/numbers/${id}`
        : undefined
    case 'act':
      return isAllowed(roles, 'office.manage') ? `/dashboard/settings/acts/${id}` : undefined
    default:
      return undefined
  }
}
