import { countAcceptances } from '#server/db/care/notice-texts.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { listPrivacyNotices, type WrittenNotice } from '#server/db/people/privacy-notices.ts'
import { findUsers } from '#server/db/people/users.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import {
  type NoticeText,
  privacyNoticeOf,
  writableText,
} from '#server/domain/identity/privacy-notice.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type PrivacyNotices = {
  office: Office
  /** The default notice, made from the office's data. */
  ofSystem: NoticeText
  /** The office's own texts, newest first; empty while the default applies. */
  written: (WrittenNotice & { author: string; accepted: number })[]
  /** Texts of the system that signers accepted, whatever the office wrote since. */
  ofSystemAccepted: { sha256: Sha256; accepted: number }[]
}

/**
 * All notices of the office, for administrators.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`
 */
export async function readPrivacyNotices(system: System, actor: Actor): Promise<PrivacyNotices> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, clock.now())
  const office = await findOffice(db, person.officeId)
  if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
  const notices = await listPrivacyNotices(db, office.id)
  const authors = await findUsers(
    db,
    notices.map(({ by }) => by),
  )
  const counts = await countAcceptances(db, office.id)
  const written = notices.map((notice) => {
    const author = authors.get(notice.by)
    if (!author) throw new Error(`version ${notice.version} has no author`)
    return { ...notice, author: fullName(author), accepted: counts.get(notice.sha256) ?? 0 }
  })
  const ownTexts = new Set(notices.map(({ sha256 }) => sha256))
  const others = [...counts].filter(([sha256]) => !ownTexts.has(sha256))
  const ofSystemAccepted = others.map(([sha256, accepted]) => ({ sha256, accepted }))
  return { office, ofSystem: writableText(privacyNoticeOf(office)), written, ofSystemAccepted }
}
