import { z } from 'zod'
import { canonicalJson, type Json } from '#server/domain/canonical-json.ts'
import { OfficeId, SessionId, SignerId, UserId } from '#server/domain/ids.ts'
import { Instant, toTimestamp } from '#server/domain/time.ts'

/** Every kind of event. A new kind is a new line here. */
export const AuditAction = z.enum([
  'access.refused',
  'access-token.created',
  'access-token.revoked',
  'access-token.used',
  'account.linked',
  'account.unlinked',
  'act.added',
  'act.changed',
  'act.checklist-changed',
  'act.restored',
  'act.retired',
  'activation.created',
  'activation.refused',
  'activation.used',
  'alert.all-read',
  'alert.raised',
  'alert.read',
  'alert.reopened',
  'alert.resolved',
  'audit.check-failed',
  'audit.exported',
  'audit.viewed',
  'authority.accepted',
  'authority.offered',
  'authority.pinned',
  'authority.refused',
  'authority.removed',
  'backup.made',
  'backup.restored',
  'backup-codes.created',
  'calendar-feed.created',
  'calendar-feed.revoked',
  'calendar-feed.used',
  'certificate.added',
  'constancia.failed',
  'constancia.issued',
  'constancia.requested',
  'deadline.done',
  'deadline.not-applicable',
  'deadline.reopened',
  'document.acknowledged',
  'document.archived',
  'document.cancelled',
  'document.compared',
  'document.copy-cancelled',
  'document.copy-recorded',
  'document.checklist-added',
  'document.checklist-removed',
  'document.damaged',
  'document.described',
  'document.downloaded',
  'document.edited',
  'document.item-checked',
  'document.item-unchecked',
  'document.stamp-placed',
  'document.file-replaced',
  'document.lookup-changed',
  'document.pictures-changed',
  'document.pictures-consented',
  'document.pictures-consent-withdrawn',
  'document.previewed',
  'document.purged',
  'document.rejected',
  'document.signed',
  'document.uploaded',
  'document.verified',
  'document.viewed',
  'factors.removal-asked',
  'factors.removal-refused',
  'factors.removed',
  'keys.dropped',
  'keys.rotated',
  'log.closed',
  'log.opened',
  'mail.discarded',
  'mail.failed',
  'mail.retried',
  'mail.secret-read',
  'mail.sent',
  'arco.answered',
  'arco.effected',
  'arco.extended',
  'arco.identified',
  'arco.package-downloaded',
  'arco.package-expired',
  'arco.package-failed',
  'arco.package-made',
  'arco.package-requested',
  'arco.recorded',
  'arco.terms-changed',
  'consents.exported',
  'retention.blocked',
  'retention.destroyed',
  'retention.postponed',
  'retention.proposed',
  'retention.terms-changed',
  'number.explained',
  'number.exported',
  'number.reopened',
  'number.reserved',
  'number.taken',
  'number-series.added',
  'number-series.changed',
  'non-working-day.added',
  'non-working-day.removed',
  'obligation.added',
  'obligation.changed',
  'obligation.recounted',
  'obligation.switched-off',
  'obligation.switched-on',
  'office.created',
  'office.changed',
  'office.policies-changed',
  'office.resumed',
  'office.suspended',
  'mail-server.removed',
  'mail-server.set',
  'mail-server.tested',
  'maker-certificate.added',
  'maker-certificate.removed',
  'office-keys.dropped',
  'office-keys.rotated',
  'party.added',
  'party.changed',
  'party.removed',
  'party.restored',
  'password.change-asked',
  'password.changed',
  'password.refused',
  'provider.added',
  'provider.cost-changed',
  'provider.moved',
  'provider.removed',
  'presence.proven',
  'presence.refused',
  'report.discarded',
  'report.downloaded',
  'report.expired',
  'report.exported',
  'report.failed',
  'report.made',
  'report.read',
  'report.requested',
  'report.scheduled',
  'secret.unreadable',
  'session.ended',
  'session.lock-lifted',
  'session.password-accepted',
  'session.refreshed',
  'session.refused',
  'session.reuse-detected',
  'session.second-factor-refused',
  'session.started',
  'session.step-up-refused',
  'session.stepped-up',
  'session.throttled',
  'signature.prepared',
  'signature.refused',
  'signer.consented',
  'signer.link-created',
  'signer.link-opened',
  'signer.link-refused',
  'signer.link-revoked',
  'signer.rejection-code-sent',
  'signer.rejection-refused',
  'signer.reminded',
  'signer.replaced',
  'signing-session.cancelled',
  'signing-session.changed',
  'signing-session.completed',
  'signing-session.created',
  'signing-session.expired',
  'signing-session.extended',
  'signing-session.opened',
  'signing-session.rejected',
  'signing-session.viewed',
  'totp.begun',
  'totp.disabled',
  'totp.enabled',
  'totp.refused',
  'user.capacity-document-added',
  'user.capacity-document-downloaded',
  'user.changed',
  'user.created',
  'user.reactivated',
  'user.suspended',
  'webauthn.anomaly',
  'webauthn.refused',
  'webauthn.registered',
  'webauthn.removed',
  'webauthn.renamed',
  'yubikey.attested',
  'yubikey.certificate-linked',
  'yubikey.certificate-unlinked',
  'yubikey.credential-linked',
  'yubikey.credential-unlinked',
  'yubikey.found',
  'yubikey.handed-over',
  'yubikey.lost',
  'yubikey.registered',
  'yubikey.retired',
  'yubikey.taken-back',
])
export type AuditAction = z.infer<typeof AuditAction>

/** PostgreSQL cannot store NUL, and a lone surrogate has no canonical form. */
const Text = z.string().refine((text) => !text.includes('\0') && text.isWellFormed(), 'not a text')

export const AuditActor = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('anonymous') }),
  /** Stores the name with the id: the log must be readable on its own, with the names of that time. */
  z.strictObject({ kind: z.literal('person'), userId: UserId, sessionId: SessionId, name: Text }),
  /** An external signer with a link. */
  z.strictObject({ kind: z.literal('guest'), signerId: SignerId, name: Text }),
  /** The command line, a job, the demo. */
  z.strictObject({ kind: z.literal('system'), name: Text }),
])
export type AuditActor = z.infer<typeof AuditActor>

export const AuditSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('nothing') }),
  z.strictObject({
    kind: z.enum([
      'document',
      'user',
      'session',
      'office',
      'certificate',
      'signature',
      'second-factor',
      'activation',
      'alert',
      'mail',
      'provider',
      'access-token',
      'signing-session',
      'party',
      'act',
      'number',
      'number-series',
      'obligation',
      'presence',
      'yubikey',
      'arco-request',
    ]),
    id: Text,
  }),
])
export type AuditSubject = z.infer<typeof AuditSubject>

/** One event. Its position in the log, `seq`, is assigned when it is appended. */
export const AuditEvent = z.strictObject({
  at: Instant,
  /** Null if it concerns no known office: a sign-in with an unknown address. */
  officeId: OfficeId.nullable(),
  actor: AuditActor,
  action: AuditAction,
  subject: AuditSubject,
  result: z.enum(['success', 'refused']),
  ip: Text,
  device: Text,
  requestId: Text,
  /** Facts of this kind of event, by name. Never a password, a token or a key. */
  details: z.record(Text, z.union([Text, z.int(), z.null()])),
})
export type AuditEvent = z.infer<typeof AuditEvent>

/**
 * The canonical bytes of the event at position `seq`, which are hashed and exported.
 *
 * @param seq counts from 0 without gaps
 */
export function canonicalEvent(seq: number, event: AuditEvent): Uint8Array {
  return new TextEncoder().encode(canonicalJson({ ...membersOf(event), seq }))
}

/**
 * The canonical text of the event before and behind its position: `head`, the decimal digits of `seq`, `tail` are in UTF-8 the
 * bytes of `canonicalEvent`. So the database that gives the position can hash them.
 */
export function canonicalParts(event: AuditEvent): { head: string; tail: string } {
  const members = membersOf(event)
  // Members are sorted: these come behind it.
  const behind = Object.entries(members).filter(([name]) => name > 'seq')
  const tail = `,${canonicalJson(Object.fromEntries(behind)).slice(1)}`
  const head = canonicalJson({ ...members, seq: 0 }).slice(0, -`0${tail}`.length)
  return { head, tail }
}

const membersOf = ({ at, ...rest }: AuditEvent) =>
  ({ version: 1, at: toTimestamp(at), ...rest }) satisfies Json

/** Parses canonical bytes. @throws {Error} if they are not those of an event */
export function parseCanonicalEvent(bytes: Uint8Array): { seq: number; event: AuditEvent } {
  const text = STRICT.decode(bytes)
  const { version: _, seq, at, ...rest } = Recorded.parse(JSON.parse(text))
  return { seq, event: AuditEvent.parse({ ...rest, at: Date.parse(at) }) }
}

/** The position stated in the bytes of an event; undefined if there is none. */
export function placeOf(canonical: Uint8Array): number | undefined {
  try {
    return Placed.safeParse(JSON.parse(STRICT.decode(canonical))).data?.seq
  } catch {
    return undefined
  }
}

const Placed = z.object({ seq: z.int().nonnegative() })
/** One for all: a check of the log decodes millions of events. */
const STRICT = new TextDecoder('utf-8', { fatal: true })

const Recorded = z.looseObject({
  version: z.literal(1),
  seq: z.int().nonnegative(),
  at: z.iso.datetime(),
})
