import { z } from 'zod'
import { MOST_COUNTED } from '#server/db/count-up-to.ts'
import { countMail, listMail } from '#server/db/mail/outbox.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { MailId } from '#server/domain/ids.ts'
import { type Mail, MailState } from '#server/domain/mail/mail.ts'
import { cursorText, pageCursor } from '#server/domain/page-cursor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { hasMailer } from '#server/steps/mail/find-mailer.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

const PAGE = 50

export const ListOutbox = z.object({
  /** Every state when absent. */
  state: MailState.optional(),
  /** The `next` of the previous page. */
  behind: pageCursor(MailId).optional(),
})
export type ListOutbox = z.infer<typeof ListOutbox>

export type OutboxPage = {
  mail: Omit<Mail, 'body'>[]
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
  /** Counts per state, at most `mostCounted` of each; empty states are absent. */
  counts: Partial<Record<MailState, number>>
  mostCounted: number
  /** False if the office has no mail server: all mail waits. */
  isSending: boolean
}

/** A page of the office's mail, newest first. @throws {Problem} `not-signed-in`, `forbidden` */
export async function listOutbox(
  { db, clock, mailer }: Pick<System, 'db' | 'clock' | 'mailer'>,
  actor: Actor,
  { state, behind }: ListOutbox,
): Promise<OutboxPage> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'mail.read', own, clock.now())
  const found = await listMail(db, { officeId, state, behind, limit: PAGE + 1 })
  const shown = found.slice(0, PAGE)
  const last = found.length > PAGE ? shown.at(-1) : undefined
  return {
    mail: shown.map(({ body: _, ...mail }) => mail),
    next: last && cursorText({ at: last.createdAt, id: last.id }),
    counts: await countMail(db, officeId),
    mostCounted: MOST_COUNTED,
    isSending: await hasMailer({ db, mailer }, officeId),
  }
}
