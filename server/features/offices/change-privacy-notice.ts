import { isDeepStrictEqual } from 'node:util'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { keepNoticeText } from '#server/db/care/notice-texts.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findPrivacyNotice, insertPrivacyNotice } from '#server/db/people/privacy-notices.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { type NoticeText, noticeFromText } from '#server/domain/identity/privacy-notice.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * Publishes a new privacy notice for external signers. Earlier texts stay, with the consents given to them;
 * signers who have not consented see the new one. An identical text makes no new version.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`
 */
export async function changePrivacyNotice(
  system: System,
  actor: Actor,
  text: NoticeText,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  const next = noticeFromText(text)
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const office = await findOffice(trx, person.officeId)
    if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
    const before = await findPrivacyNotice(trx, office)
    // Compare the structure, too: the SHA-256 covers only the words, not which of them are titles.
    if (isDeepStrictEqual(before, next)) return
    const { sha256 } = next
    const written = { text, sha256, at, by: person.userId }
    const version = await insertPrivacyNotice(trx, office.id, written)
    await keepNoticeText(trx, office.id, { sha256, text, at })
    await appendEvent(trx, {
      actor,
      at,
      action: 'office.changed',
      subject: { kind: 'office', id: office.id },
      details: { privacyNotice: sha256, version, from: before.sha256 },
    })
  })
}
