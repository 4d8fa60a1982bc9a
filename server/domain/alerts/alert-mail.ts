import { z } from 'zod'
import type { AlertKind } from './alert.ts'

/** How a user gets alerts by mail: each at once, those of a day in one, or none. */
export const AlertMail = z.enum(['each', 'daily', 'none'])
export type AlertMail = z.infer<typeof AlertMail>

/** Mailed to the owner of the account whatever they chose: someone who takes over a session could choose for them. */
const OF_ONES_ACCOUNT: ReadonlySet<AlertKind> = new Set([
  'access-token-created',
  'account-changed',
  'administrator-recovered',
  'factors-changed',
  'key-anomaly',
  'new-device',
  'password-changed',
  'password-change-asked',
  'refresh-reuse',
  'repeated-failures',
  'second-factor-failures',
  'sessions-ended',
  'yubikey-lost',
])

/** @param isOwn the alert is addressed to the user, not to the administrators */
export const isMailedAtOnce = (choice: AlertMail, kind: AlertKind, isOwn: boolean): boolean =>
  choice === 'each' || (isOwn && OF_ONES_ACCOUNT.has(kind))
