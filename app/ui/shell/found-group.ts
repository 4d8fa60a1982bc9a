/** A page that a search found. */
export type Entry = { to: string; name: string; detail: string }

/** Entries of one kind, and the list that has all of them. */
export type Group = {
  name: string
  entries: readonly Entry[]
  all?: Entry
  /** Another search, not what this one found. */
  isOffer?: true
}
