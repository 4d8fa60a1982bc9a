import type { AuditEvent } from './event.ts'

/** What an event is about, or the account that it concerns, as a reader knows it. */
export type NamedSubject = {
  kind: Exclude<AuditEvent['subject']['kind'], 'nothing'>
  id: string
  /** A folio with a title, a person's name …; null if it has none, or is no longer known. */
  name: string | null
}

type Identified = Pick<AuditEvent, 'subject' | 'details'>

/**
 * What to name for an event. Links and sessions are only numbers: the account that they belong to is named instead, where the
 * event states it.
 */
export function namedSubjectOf({ subject, details }: Identified): NamedSubject | undefined {
  if (subject.kind === 'nothing') return undefined
  if (subject.kind === 'session' || subject.kind === 'activation') {
    const account = details.user ?? details.userId
    return typeof account === 'string' ? { kind: 'user', id: account, name: null } : undefined
  }
  const { kind, id } = subject
  const { name } = details
  return { kind, id, name: NAMED_BY_EVENTS.has(kind) && typeof name === 'string' ? name : null }
}

/** Their events have the name that they had at that time. */
const NAMED_BY_EVENTS: ReadonlySet<AuditEvent['subject']['kind']> = new Set([
  'access-token',
  'act',
  'arco-request',
  'certificate',
  'number',
  'number-series',
  'obligation',
  'provider',
  'second-factor',
  'yubikey',
])
