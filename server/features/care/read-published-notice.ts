import { z } from 'zod'
import { listEvents } from '#server/db/audit/event-pages.ts'
import { findLogView } from '#server/db/audit/logs.ts'
import { findConsentTo } from '#server/db/care/consents.ts'
import { findNoticeText } from '#server/db/care/notice-texts.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findPrivacyNotice, listNoticeVersions } from '#server/db/people/privacy-notices.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { noticeFromText, type PrivacyNotice } from '#server/domain/identity/privacy-notice.ts'
import { OfficeId, Sha256 } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

export const ReadPublishedNotice = z.object({
  officeId: OfficeId,
  /** SHA-256 of an earlier text; the current one if absent. */
  text: Sha256.optional(),
})
export type ReadPublishedNotice = z.infer<typeof ReadPublishedNotice>

export type PublishedNotice = {
  office: Office
  notice: PrivacyNotice
  isCurrent: boolean
  /** Number and time of this text; null for the text of the system. */
  version: { number: number; at: Instant } | null
  /** All versions that the office wrote, newest first. */
  versions: { number: number; sha256: Sha256; at: Instant }[]
}

/**
 * The aviso de privacidad of an office, for everyone: the current one, or an earlier one that was published or accepted.
 *
 * @throws {Problem} `not-found` for an unknown office or text
 */
export async function readPublishedNotice(
  { db }: Pick<System, 'db'>,
  { officeId, text }: ReadPublishedNotice,
): Promise<PublishedNotice> {
  const office = await findOffice(db, officeId)
  if (!office) throw new Problem('not-found', `no office ${officeId}`)
  const current = await findPrivacyNotice(db, office)
  const isCurrent = text === undefined || text === current.sha256
  const notice = isCurrent ? current : await findEarlier(db, officeId, text)
  if (!notice) throw new Problem('not-found', `no aviso ${text} of ${officeId}`)
  const written = await listNoticeVersions(db, officeId)
  const versions = written.map(({ version, sha256, at }) => ({ number: version, sha256, at }))
  const version = versions.find(({ sha256 }) => sha256 === notice.sha256) ?? null
  return { office, notice, isCurrent, version, versions }
}

async function findEarlier(
  db: Reader,
  officeId: OfficeId,
  text: Sha256,
): Promise<PrivacyNotice | undefined> {
  const kept = await findNoticeText(db, officeId, text)
  if (kept) return { ...noticeFromText(kept.text), sha256: text }
  return await findInLog(db, officeId, text)
}

/** Events of one session that are looked through. */
const MOST_EVENTS = 50

/** A text of the system that was accepted before texts were kept: the event of the consent has its words. */
async function findInLog(
  db: Reader,
  officeId: OfficeId,
  text: Sha256,
): Promise<PrivacyNotice | undefined> {
  const consent = await findConsentTo(db, officeId, text)
  if (!consent?.signingSessionId) return undefined
  const { events } = await listEvents(db, {
    view: await findLogView(db, officeId),
    ...{ subjectId: consent.signingSessionId, actions: ['signer.consented'] },
    limit: MOST_EVENTS,
  })
  const words = events.find(({ details }) => details.sha256 === text)?.details.text
  if (typeof words !== 'string') return undefined
  const paragraphs = words.split('\n')
  return { short: [], full: [{ title: 'Texto aceptado', paragraphs }], sha256: text }
}
