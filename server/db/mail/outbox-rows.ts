import type { ExpressionBuilder } from 'kysely'
import type { OutboxRow } from '#server/db/tables/mail.ts'
import type { Tables } from '#server/db/tables.ts'
import { Mail } from '#server/domain/mail/mail.ts'
import type { Instant } from '#server/domain/time.ts'

/** Erases the sealed body. Bodies without secrets stay readable. */
export const FORGOTTEN = { key_version: null, sealed_body: null }

/** True if no process is sending the mail: it was not claimed, or the lease ended. */
export const isFree = (now: Instant) => (eb: ExpressionBuilder<Tables, 'outbox'>) =>
  eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)])

export function toMail(row: OutboxRow): Mail {
  return Mail.parse({
    id: row.id,
    officeId: row.office_id,
    kind: row.kind,
    to: { name: row.to_name, address: row.to_address },
    subject: row.subject,
    body: bodyOf(row),
    attachments: JSON.parse(row.attachments ?? '[]'),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    state: row.state,
    stateSince: row.state_since,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    leasedUntil: row.leased_until,
    lastError: row.last_error,
    discardedBecause: row.discarded_because,
  })
}

function bodyOf({ text, html, key_version, sealed_body }: OutboxRow): Mail['body'] {
  if (text !== null && html !== null) return { kind: 'clear', text, html }
  if (key_version !== null && sealed_body !== null)
    return { kind: 'sealed', keyVersion: key_version, bytes: Uint8Array.from(sealed_body) }
  return { kind: 'forgotten' }
}
