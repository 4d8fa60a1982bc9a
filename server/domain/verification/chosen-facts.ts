/** Which of many facts a report lists. */
export type Choice<T> = {
  /** Over all lists. */
  most: number
  /** Of one list. */
  ofEach: number
  /** Letters of all of them together. The first of each list is listed however long it is. */
  letters: number
  lettersIn: (fact: T) => number
  /** A number for each fact of a list; those with the highest come first. */
  ranksOf: (facts: readonly T[]) => readonly number[]
}

type Candidate<T> = { fact: T; list: number; place: number; rank: number }

/**
 * The most important facts of several lists, in the order of each list. The most important one of each list comes
 * before the second of any.
 */
export function chosenFacts<T>(lists: readonly (readonly T[])[], choice: Choice<T>): T[][] {
  const { most, ofEach, letters, lettersIn, ranksOf } = choice
  const ranked = lists.map((facts, list) => {
    const ranks = ranksOf(facts)
    return facts
      .map((fact, place) => ({ fact, list, place, rank: ranks[place] ?? 0 }))
      .toSorted(byRank)
      .slice(0, ofEach)
  })
  const firsts = ranked.flatMap(([first]) => first ?? [])
  const others = ranked.flatMap(([, ...rest]) => rest).toSorted(byRank)
  const chosen = lists.map(() => new Set<number>())
  let left = letters
  for (const [index, { fact, list, place }] of [...firsts, ...others].slice(0, most).entries()) {
    left -= lettersIn(fact)
    if (left < 0 && index >= firsts.length) break
    chosen[list]!.add(place)
  }
  return lists.map((facts, list) => facts.filter((_, place) => chosen[list]!.has(place)))
}

const byRank = <T>(a: Candidate<T>, b: Candidate<T>) => b.rank - a.rank
