import { after, type Duration, hours, type Instant, minutes, seconds } from '#server/domain/time.ts'
import { type OfficeDay, timeOn } from './calendar.ts'
import type { Chance } from './chance.ts'
import type { PlannedDocument, Task } from './work.ts'

/** The time at which a person sits down and signs what waits for them. */
export type Sitting = {
  slug: string
  begins: Instant
  /** What is signed, in order; a complete document is archived. */
  signed: { document: PlannedDocument; isLast: boolean }[]
}

/** How many documents are signed in one go; a prepared signature must be completed within two minutes. */
const AT_ONCE = 6
const BETWEEN_GOES = minutes(5)

/** A sitting a week of each of these people, on another day and hour each time. */
export function planSittings(
  slugs: readonly string[],
  weeks: readonly (readonly OfficeDay[])[],
  chance: Chance,
): Sitting[] {
  return weeks.flatMap((week) =>
    slugs.map((slug) => {
      const time = (hours(10) + minutes(chance.below(8 * 60))) as Duration
      return { slug, begins: timeOn(chance.pick(week), time, chance), signed: [] }
    }),
  )
}

/**
 * Puts a signature into the person's next sitting.
 *
 * @returns about when it is made; undefined if the year ends before
 */
export function signLater(
  sittings: readonly Sitting[],
  slug: string,
  signed: Sitting['signed'][number],
  earliest: Instant,
): Instant | undefined {
  const next = sittings
    .filter((sitting) => sitting.slug === slug && sitting.begins > earliest)
    .reduce<Sitting | undefined>((one, other) => earlier(one, other), undefined)
  next?.signed.push(signed)
  return next && after(next.begins, minutes(45))
}

const earlier = (one: Sitting | undefined, other: Sitting) =>
  one && one.begins < other.begins ? one : other

/**
 * The steps of a sitting: as the page signs several documents, each is prepared, then each is signed. The archive and the
 * provider of constancias follow within minutes.
 */
export function tasksOf({ slug, begins, signed }: Sitting): Task[] {
  return signed.flatMap((one, place) => {
    const go = Math.floor(place / AT_ONCE)
    const size = Math.min(AT_ONCE, signed.length - go * AT_ONCE)
    const start = after(begins, (go * BETWEEN_GOES) as Duration)
    const turn = place % AT_ONCE
    const task = (wait: number, kind: SigningStep): Task => ({
      ...{ at: after(start, seconds(wait)), by: slug, document: one.document, work: { kind } },
    })
    const steps = [
      task(turn * 9, 'prepare-signature'),
      task(size * 9 + turn * 8, 'complete-signature'),
    ]
    if (!one.isLast) return steps
    return [...steps, task(150 + turn * 7, 'archive'), task(205 + turn * 7, 'issue-constancia')]
  })
}

type SigningStep = 'prepare-signature' | 'complete-signature' | 'archive' | 'issue-constancia'
