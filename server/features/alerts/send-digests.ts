import {
  type DigestReader,
  listDigestReaders,
  replaceDigestTime,
} from '#server/db/alerts/alert-preferences.ts'
import { listAlerts } from '#server/db/alerts/alerts.ts'
import { findOffices } from '#server/db/people/offices.ts'
import { findUsers } from '#server/db/people/users.ts'
import type { AlertSeverity } from '#server/domain/alerts/alert.ts'
import { dayOf, startOfDay } from '#server/domain/day.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'
import { after, before, days, hours, type Instant, minutes } from '#server/domain/time.ts'
import { queueMail } from '#server/steps/mail/queue-mail.ts'
import type { System } from '#server/system.ts'
import { digestLines } from '#server/words/alert-digest.ts'

/** In the office's time zone: before the office opens. */
const TIME_OF_DAY = hours(7)
/** Alerts of the last two minutes wait for the next mail: others from then may still be written, late or by a slower clock. */
const SETTLED = minutes(2)
/** A mail of yesterday is replaced by that of today. */
const DIGEST_LIFETIME = days(2)
/** Of a mail; it says that there are more. */
const MOST_ALERTS = 100
/** What is only information is not mailed. */
const MAILED: readonly AlertSeverity[] = ['warning', 'danger']

type Sending = Pick<System, 'db' | 'clock'>

/**
 * Mails the users who chose so, once a day, the alerts that came since the last such mail and are still open. A day without alerts
 * has no mail.
 */
export async function sendDigests(system: Sending, stopping?: AbortSignal): Promise<void> {
  const { db, clock } = system
  const readers = await listDigestReaders(db)
  if (readers.length === 0) return
  const users = await findUsers(
    db,
    readers.map(({ userId }) => userId),
  )
  const offices = await findOffices(
    db,
    [...users.values()].map(({ officeId }) => officeId),
  )
  for (const reader of readers) {
    if (stopping?.aborted) return
    const user = users.get(reader.userId)
    const office = user && offices.get(user.officeId)
    if (!user || !office) continue
    const now = clock.now()
    const until = before(now, SETTLED)
    const due = lastDue(until, office.timeZone)
    // A time to come was written while the clock was wrong.
    const isAhead = reader.digestedAt > now
    const since = isAhead ? before(due, days(1)) : reader.digestedAt
    if (isAhead || reader.digestedAt < due) await sendDigest(system, reader, user, { since, until })
  }
}

/** The last time at or before `now` at which daily mails were due. */
function lastDue(now: Instant, zone: string): Instant {
  const today = after(startOfDay(dayOf(now, zone), zone), TIME_OF_DAY)
  return today <= now ? today : before(today, days(1))
}

/** @param times of the alerts that the mail has: later than `since`, not later than `until` */
async function sendDigest(
  { db, clock }: Sending,
  reader: DigestReader,
  user: User,
  { since, until }: { since: Instant; until: Instant },
): Promise<void> {
  const at = clock.now()
  await db.transaction(async (trx) => {
    if (!(await replaceDigestTime(trx, reader, until))) return
    const office = isAllowed(user.roles, 'alerts.read-office') ? 'included' : 'left-out'
    const news = await listAlerts(trx, {
      ...{ officeId: user.officeId, userId: user.id, office, since, until },
      ...{ states: ['open'], severities: MAILED },
      limit: MOST_ALERTS + 1,
    })
    if (news.length === 0) return
    await queueMail(trx, {
      officeId: user.officeId,
      to: { name: fullName(user), address: user.email },
      facts: {
        kind: 'alert-digest',
        lines: digestLines(news.slice(0, MOST_ALERTS)),
        hasMore: news.length > MOST_ALERTS,
      },
      at,
      expiresAt: after(at, DIGEST_LIFETIME),
    })
  })
}
