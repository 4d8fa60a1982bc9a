import type { ReminderPolicy } from '#server/domain/identity/office.ts'
import { after, type Duration, days, hours, type Instant } from '#server/domain/time.ts'
import type { Signer } from './signer.ts'

/** Shortest time between two reminders. */
const PAUSE = hours(12)

export const wasJustReminded = ({ remindedAt }: Pick<Signer, 'remindedAt'>, now: Instant) =>
  remindedAt !== null && now < after(remindedAt, PAUSE)

/** How long a signer has waited at each reminder, shortest first. */
export const remindersOf = (policy: ReminderPolicy): Duration[] =>
  policy === 'none' ? [] : policy.split(',').map((count) => days(Number(count)))

/**
 * When a signer whose turn began at `since` is reminded next; null if never again. Steps that have passed are not made up for:
 * after a pause of the server no signer gets several reminders at once.
 */
export function nextReminder(policy: ReminderPolicy, since: Instant, now: Instant): Instant | null {
  const next = remindersOf(policy)
    .map((wait) => after(since, wait))
    .find((at) => at > now)
  return next ?? null
}
