import { z } from 'zod'
import { AuditAction } from './event.ts'

/** The subjects by which readers filter the log. */
export const AuditTopic = z.enum(['documents', 'signing', 'access', 'people', 'office'])
export type AuditTopic = z.infer<typeof AuditTopic>

/** Prefixes of action names; each action belongs to one topic. */
const TOPICS: Record<AuditTopic, readonly string[]> = {
  documents: ['document', 'constancia', 'deadline', 'number'],
  signing: ['signature', 'signing-session', 'signer', 'party', 'presence'],
  access: [
    'access',
    'access-token',
    'account',
    'activation',
    'backup-codes',
    'calendar-feed',
    'factors',
    'password',
    'secret',
    'session',
    'totp',
    'webauthn',
  ],
  people: ['user', 'certificate', 'yubikey'],
  office: [
    'act',
    'alert',
    'arco',
    'audit',
    'authority',
    'backup',
    'consents',
    'retention',
    'keys',
    'log',
    'mail',
    'mail-server',
    'maker-certificate',
    'non-working-day',
    'number-series',
    'obligation',
    'office',
    'office-keys',
    'provider',
    'report',
  ],
}

export const actionsAbout = (topic: AuditTopic): AuditAction[] =>
  AuditAction.options.filter((action) => TOPICS[topic].includes(action.split('.')[0] ?? ''))
