import { listMail } from '#server/db/mail/outbox.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { openBody } from '#server/features/mail/open-body.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

export type SentMail = {
  to: string
  address: string
  kind: string
  state: string
  subject: string
  text: string
}

/** The mails of the office, oldest first; the text of one that was discarded or sent is empty. */
export async function mailsOf(system: TestSystem, { id }: Pick<Office, 'id'>): Promise<SentMail[]> {
  const mails = await listMail(system.db, { officeId: id, limit: 200 })
  return mails.toReversed().map((mail) => ({
    ...{ to: mail.to.name, address: mail.to.address, kind: mail.kind, state: mail.state },
    subject: mail.subject,
    text: mail.body.kind === 'forgotten' ? '' : openBody(system, mail).text,
  }))
}
