import { type Duration, days, type Instant } from '#server/domain/time.ts'
import type { Chance } from './chance.ts'
import type { PlannedDocument } from './work.ts'

/** What becomes of a document. */
export type Fate =
  | 'stays-draft'
  | 'withdrawn'
  /** By a notary alone. */
  | 'signed-alone'
  /** By a lawyer and then a notary, in a session. */
  | 'signed-together'
  | 'rejected'
  /** In a session with external persons. */
  | 'session-cancelled'
  | 'session-late'
  | 'session-open'

/** How many documents of so many as the numbers together have which fate. */
type Odds = Partial<Record<Fate, number>>

/** Most originals were signed on paper, as the law of the protocol wants; here they stay drafts with their numbers. */
const ON_PAPER: Odds = {
  ...{ 'signed-alone': 2, 'signed-together': 1, 'stays-draft': 71, withdrawn: 17 },
  ...{ rejected: 3, 'session-cancelled': 4, 'session-late': 2 },
}
/** Since some months the notaries sign electronically. */
const LAST_MONTHS: Odds = {
  ...{ 'signed-alone': 13, 'signed-together': 4, 'stays-draft': 59, withdrawn: 12 },
  ...{ rejected: 5, 'session-cancelled': 4, 'session-late': 3 },
}
const LAST_WEEKS: Odds = {
  ...{ 'signed-alone': 9, 'signed-together': 3, 'stays-draft': 6, withdrawn: 1, rejected: 1 },
  ...{ 'session-open': 5, 'session-late': 2 },
}
const LAST_DAYS: Odds = { 'stays-draft': 3, 'session-open': 4, 'signed-alone': 1 }

/** By the age of the documents, the youngest first. */
const AGES: readonly { under: Duration; odds: Odds }[] = [
  { under: days(9), odds: LAST_DAYS },
  { under: days(35), odds: LAST_WEEKS },
  { under: days(130), odds: LAST_MONTHS },
  { under: days(366), odds: ON_PAPER },
]

/** What is signed with others; the rest a notary signs alone. */
const OF_SEVERAL = new Set(['contract', 'deed', 'power-of-attorney', 'ratification', 'letter'])
const ALONE = new Set<Fate>(['stays-draft', 'withdrawn', 'signed-alone'])

/** Deals fates in these proportions, whatever the chance. @param end of the year */
export function createFates(end: Instant, chance: Chance): (document: PlannedDocument) => Fate {
  const decks = AGES.map(({ under, odds }) => ({ under, deal: createDeck(odds, chance) }))
  return ({ deed, uploadedAt }) => {
    const deck = decks.find(({ under }) => end - uploadedAt < under)
    return deck?.deal(OF_SEVERAL.has(deed.kind)) ?? 'stays-draft'
  }
}

function createDeck(odds: Odds, chance: Chance): (isOfSeveral: boolean) => Fate | undefined {
  const cards = Object.entries(odds).flatMap(([fate, count]) =>
    Array.from({ length: count }, () => fate as Fate),
  )
  let left: Fate[] = []
  return (isOfSeveral) => {
    if (left.length === 0) left = shuffled(cards, chance)
    const fitting = left.findIndex((fate) => isOfSeveral || ALONE.has(fate))
    if (fitting >= 0) return left.splice(fitting, 1)[0]
    // Only fates of several are left: they stay for the next documents.
    return 'signed-alone'
  }
}

function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  const rest = [...items]
  return items.flatMap(() => rest.splice(chance.below(rest.length), 1))
}
