/** The first of each list, then the second of each, and so on: so many in all. */
export function inTurns<Item>(lists: readonly (readonly Item[])[], limit: number): Item[] {
  const items: Item[] = []
  for (let place = 0; place < limit; place += 1)
    items.push(...lists.flatMap((list) => list.slice(place, place + 1)))
  return items.slice(0, limit)
}
