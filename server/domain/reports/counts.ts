/** How often each was counted; those that never were are absent. */
export type Counts<Name extends string = string> = Partial<Record<Name, number>>

export function countOne<Name extends string>(counts: Counts<Name>, name: Name, more = 1): void {
  counts[name] = (counts[name] ?? 0) + more
}

export const sumOf = (counts: Counts): number =>
  Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0)
