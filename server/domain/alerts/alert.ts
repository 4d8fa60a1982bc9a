import { z } from 'zod'
import { AlertId, OfficeId, UserId } from '#server/domain/ids.ts'
import { hours, Instant } from '#server/domain/time.ts'

/** Every kind of alert. A new kind is a new line here. */
export const AlertKind = z.enum([
  /** A sign-in from a browser that is new for the user. */
  'new-device',
  /** Repeated failed sign-ins to an account. */
  'repeated-failures',
  /** Repeated wrong second factors after a correct password. */
  'second-factor-failures',
  /** An old refresh token was replayed; the session was ended. */
  'refresh-reuse',
  /** A security key's counter went back, or its backup eligibility changed. */
  'key-anomaly',
  /** A second factor was added, removed or reset. */
  'factors-changed',
  'password-changed',
  /** An administrator required a password change. */
  'password-change-asked',
  /** An administrator made a recovery link for the account. */
  'recovery-issued',
  /** An administrator changed the user's roles or data, or reactivated the account. */
  'account-changed',
  /** The office has a new administrator. */
  'administrator-added',
  /** On the server's machine, a recovery link was made for an administrator. */
  'administrator-recovered',
  /** An administrator ended the user's sessions. */
  'sessions-ended',
  /** Few backup codes are left. */
  'backup-codes-low',
  /** A removal of second factors awaits another administrator's approval. */
  'removal-to-approve',
  /** A provider has not answered for a while. */
  'provider-down',
  /** The log does not match its last signed checkpoint. */
  'audit-check-failed',
  /** A stored file does not match its registered digest. */
  'file-damaged',
  /** Long-term proofs end soon, and were not renewed in time. */
  'proofs-overdue',
  /** A secret in the database cannot be unsealed. */
  'secret-unreadable',
  /** An access token was created for the user. */
  'access-token-created',
  /** The last backup is old, or there is none. */
  'backup-overdue',
  /** Requests wait for the server, minute after minute. */
  'server-slow',
  /** Little room is left on the disk: strangers cannot verify files, and soon no file can be uploaded. */
  'disk-low',
  /** A mail failed for good. */
  'mail-failed',
  /** A signer rejected a signing session of the user. */
  'signing-rejected',
  /** The deadline of a signing session of the user passed, and signatures are missing. */
  'session-late',
  /** The last certificate of the user ends soon. */
  'certificate-ending',
  /** A certificate of the user was revoked. */
  'certificate-revoked',
  /** The user's capacity as a notary ends soon. */
  'capacity-ending',
  /** What the office must do ends soon. */
  'deadline-near',
  /** The last day of what the office must do has passed. */
  'deadline-late',
  /** The term of a request about personal data ends soon, or is over. */
  'arco-due',
  /** A physical key of the office was lost, and its credentials ended. */
  'yubikey-lost',
  /** The server's clock differs from the log or from an authority. */
  'clock-wrong',
])
export type AlertKind = z.infer<typeof AlertKind>

/**
 * Kinds that a stranger or a habit causes again and again. An alert counts those of a day, and a user gets at most one
 * mail an hour of a kind. No change of an account is among them: each is mailed.
 */
export const REPEATING: ReadonlySet<AlertKind> = new Set([
  'new-device',
  'repeated-failures',
  'second-factor-failures',
])

/** Between two mails to one user about alerts of one repeating kind. */
export const ALERT_MAIL_PAUSE = hours(1)

export const AlertSeverity = z.enum(['information', 'warning', 'danger'])
export type AlertSeverity = z.infer<typeof AlertSeverity>

export const AlertState = z.enum(['open', 'read', 'resolved'])
export type AlertState = z.infer<typeof AlertState>

/** A warning for a user or for the administrators of an office. */
export const Alert = z.object({
  id: AlertId,
  officeId: OfficeId,
  /** The recipient; null for the administrators of the office. */
  userId: UserId.nullable(),
  kind: AlertKind,
  severity: AlertSeverity,
  subjectKind: z.enum([
    'user',
    'session',
    'second-factor',
    'mail',
    'document',
    'signing-session',
    'nothing',
  ]),
  subjectId: z.string().nullable(),
  /** The facts for the sentence, by name: device, ip, name … Never a secret. */
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Of the last occurrence. */
  at: Instant,
  occurrences: z.int().positive(),
  firstAt: Instant,
  state: AlertState,
  stateSince: Instant,
  stateBy: UserId.nullable(),
})
export type Alert = z.infer<typeof Alert>

/** The facts of an alert, without words. */
export type AlertFacts = Pick<Alert, 'kind' | 'facts' | 'userId'> & {
  /** Name of the affected user, if the alert is for the administrators. */
  about: string | null
}
