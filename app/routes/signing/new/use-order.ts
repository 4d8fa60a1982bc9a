import { useState } from 'react'

/** The items in the order that the user gave them; a new list from the server begins with its own order. */
export function useOrder<T>(items: readonly T[], idOf: (item: T) => string) {
  const ids = items.map(idOf)
  const [known, setKnown] = useState({ ids, order: ids })
  const current = ids.join(' ') === known.ids.join(' ') ? known : { ids, order: ids }
  if (current !== known) setKnown(current)
  const byId = new Map(items.map((item) => [idOf(item), item]))
  return {
    inOrder: current.order.flatMap((id) => byId.get(id) ?? []),
    ids: current.order,
    setIds: (order: string[]) => setKnown({ ids, order }),
  }
}

/** The ids with one of them at this place; places beyond the ends are the ends. */
export function placed(ids: readonly string[], id: string, place: number): string[] {
  const others = ids.filter((one) => one !== id)
  return others.toSpliced(Math.min(Math.max(place, 0), others.length), 0, id)
}
