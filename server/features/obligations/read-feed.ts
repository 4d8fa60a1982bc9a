import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  type CalendarFeed,
  findCalendarFeedByHash,
  replaceFeedUse,
} from '#server/db/obligations/calendar-feeds.ts'
import { listDeadlines } from '#server/db/obligations/deadlines.ts'
import { isSuspended } from '#server/db/people/office-states.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUser } from '#server/db/people/users.ts'
import { hashOfToken, Token } from '#server/domain/crypto/token.ts'
import { type Day, dayOf, daysAfter } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import {
  CALENDARS_FROM_NETWORK,
  READS_OF_CALENDAR,
} from '#server/domain/identity/attempts/throttle.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import type { NamedDeadline } from '#server/domain/obligations/deadline.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { before, days, type Instant } from '#server/domain/time.ts'
import {
  consumeLimitedAttempt,
  tooManyAttempts,
} from '#server/steps/sign-ins/consume-limited-attempt.ts'
import { consumeNetworkAttempt } from '#server/steps/sign-ins/consume-network-attempt.ts'
import type { System } from '#server/system.ts'
import { namedDeadlines } from './named-deadlines.ts'

/** The largest calendar: a program reads it whole, again and again. An entry that says that there are more comes in addition. */
export const MOST_FEED_ENTRIES = 400
/** Late ones stay in the calendar so long. */
const LATE_DAYS = 30
/** The last use is written and logged at most this often: programs ask every few minutes. */
const USE_INTERVAL = days(1)

/** A calendar of what is still to be done. */
export type Feed = {
  officeId: OfficeId
  today: Day
  /** What is due from today on, the earliest first, then what is late, the latest first. */
  deadlines: NamedDeadline[]
  /** Whether some were left out. */
  hasMore: boolean
}

/**
 * What is still to be done, for the program that asks with a user's secret address. What is late is left out first.
 *
 * @param secret as the address has it
 * @throws {Problem} `not-found` for a wrong or ended address, and for one of a user who may not sign in; `too-many-attempts`
 */
export async function readFeed(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { secret }: { secret: string },
): Promise<Feed> {
  const now = clock.now()
  const token = Token.safeParse(secret).data
  const feed = token && (await findCalendarFeedByHash(db, hashOfToken(token)))
  const reader = feed && (await findReader({ db }, feed))
  if (!feed || !reader) {
    const { ip } = actor
    const asked = { keyOf: throttleKeys.unknownCalendar, ip, policy: CALENDARS_FROM_NETWORK }
    await consumeNetworkAttempt(db, asked, now)
    throw new Problem('not-found', 'no such calendar')
  }
  const limit = { key: throttleKeys.readsOfCalendar(feed.userId), policy: READS_OF_CALENDAR }
  const spent = await consumeLimitedAttempt(db, [limit], now)
  if (!spent.allowed) throw tooManyAttempts(spent, spent.refusedBy.key)
  await noteUse({ db }, feed, reader, actor, now)
  return await feedOf({ db }, reader.office, now)
}

async function feedOf({ db }: Pick<System, 'db'>, office: Office, now: Instant): Promise<Feed> {
  const today = dayOf(now, office.timeZone)
  const open = { officeId: office.id, state: 'open' } as const
  const limit = MOST_FEED_ENTRIES + 1
  const coming = await listDeadlines(db, { ...open, from: today, limit })
  const late = await listDeadlines(db, {
    ...{ ...open, from: daysAfter(today, -LATE_DAYS), to: daysAfter(today, -1) },
    ...{ latestFirst: true, limit: limit - coming.length },
  })
  const rows = [...coming, ...late]
  return {
    ...{ officeId: office.id, today },
    deadlines: await namedDeadlines(db, office, rows.slice(0, MOST_FEED_ENTRIES)),
    hasMore: rows.length > MOST_FEED_ENTRIES,
  }
}

type FeedReader = { user: User; office: Office }

async function findReader(
  { db }: Pick<System, 'db'>,
  { userId }: CalendarFeed,
): Promise<FeedReader | undefined> {
  const user = await findUser(db, userId)
  if (user?.state !== 'active' || !isAllowed(user.roles, 'obligations.read')) return undefined
  const office = await findOffice(db, user.officeId)
  return office && !(await isSuspended(db, office.id)) ? { user, office } : undefined
}

async function noteUse(
  { db }: Pick<System, 'db'>,
  feed: CalendarFeed,
  { user, office }: FeedReader,
  actor: Actor,
  at: Instant,
): Promise<void> {
  if (feed.lastUsedAt !== null && feed.lastUsedAt > before(at, USE_INTERVAL)) return
  await db.transaction(async (trx) => {
    if (!(await replaceFeedUse(trx, feed, at))) return
    await appendEvent(trx, {
      ...{ actor, at, officeId: office.id, action: 'calendar-feed.used' },
      subject: { kind: 'user', id: user.id },
      details: { name: fullName(user) },
    })
  })
}
