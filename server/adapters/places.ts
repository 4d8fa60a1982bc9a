import type { Places, PlacesOf } from '#server/ports/memory.ts'

export function createPlaces({ places }: PlacesOf): Places {
  const taken = new Map<string, number>()
  let free = places

  function count(key: string, change: 1 | -1): void {
    const now = (taken.get(key) ?? 0) + change
    if (now > 0) taken.set(key, now)
    else taken.delete(key)
  }

  return {
    take(shares) {
      if (shares.some(({ key, most }) => (taken.get(key) ?? 0) >= most)) return 'share'
      if (free <= 0) return 'places'
      free -= 1
      for (const { key } of shares) count(key, 1)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        free += 1
        for (const { key } of shares) count(key, -1)
      }
    },
  }
}
