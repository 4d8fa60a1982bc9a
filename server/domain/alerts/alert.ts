import { z } from 'zod'
import { AlertId, OfficeId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/** Everything that an office can be warned of. A new kind of alert is a new line here. */
export const AlertKind = z.enum([
  /** Somebody came in from a browser that they had never used. */
  'new-device',
  /** An account was tried again and again. */
  'repeated-failures',
  /** The password was right and the second factor was not, several times. */
  'second-factor-failures',
  /** A refresh token came back that had been replaced long ago; the session was ended. */
  'refresh-reuse',
  /** A security key counted backwards or changed whether it can be copied. */
  'key-anomaly',
  /** A second factor was added, removed or reset. */
  'factors-changed',
  'password-changed',
  /** An administrator asked for another password. */
  'password-change-asked',
  /** An administrator made a link with which the password can be chosen anew. */
  'recovery-issued',
  /** An administrator changed somebody's roles or data, or let them in again. */
  'account-changed',
  /** Somebody administers the office who did not before. */
  'administrator-added',
  /** An administrator ended somebody's sessions. */
  'sessions-ended',
  /** Few backup codes are left. */
  'backup-codes-low',
  /** Somebody's second factors shall be removed: another administrator must agree. */
  'removal-to-approve',
  /** A service that the office asks has not answered for a while. */
  'provider-down',
  /** The log is not what its last signed checkpoint says. */
  'audit-check-failed',
  /** What is stored of a document is not what was registered. */
  'file-damaged',
  /** A secret in the database cannot be opened. */
  'secret-unreadable',
  /** A program may sign in the person's name from now on. */
  'access-token-created',
  /** A mail could not be sent, and nobody tries any more. */
  'mail-failed',
])
export type AlertKind = z.infer<typeof AlertKind>

export const AlertSeverity = z.enum(['information', 'warning', 'danger'])
export type AlertSeverity = z.infer<typeof AlertSeverity>

export const AlertState = z.enum(['open', 'read', 'resolved'])
export type AlertState = z.infer<typeof AlertState>

/** Something that somebody must know. */
export const Alert = z.object({
  id: AlertId,
  officeId: OfficeId,
  /** For whom; null for the administrators of the office. */
  userId: UserId.nullable(),
  kind: AlertKind,
  severity: AlertSeverity,
  subjectKind: z.enum(['user', 'session', 'second-factor', 'mail', 'document', 'nothing']),
  subjectId: z.string().nullable(),
  /** What the sentence tells, by name: device, ip, name … Never a secret. */
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
  at: Instant,
  state: AlertState,
  stateSince: Instant,
  stateBy: UserId.nullable(),
})
export type Alert = z.infer<typeof Alert>

/** What an alert tells, without its words. */
export type AlertFacts = Pick<Alert, 'kind' | 'facts' | 'userId'> & {
  /** Whose account it is about, by name, where the alert is for the administrators. */
  about: string | null
}
