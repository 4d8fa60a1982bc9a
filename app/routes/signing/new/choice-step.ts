/** What a button of the form asks for before the session is created. */
export type ChoiceStep =
  | { kind: 'search' }
  /** The next page of the search. */
  | { kind: 'next' }
  /** Adds everything that the page of the search shows. */
  | { kind: 'add-page' }
  | { kind: 'up' | 'down'; id: string }

/** Reads the value of the pressed button; undefined for the one that creates the session, or none. */
export function stepOf(pressed: string | undefined): ChoiceStep | undefined {
  const [kind = '', id = ''] = (pressed ?? '').split(':')
  if (kind === 'search' || kind === 'next' || kind === 'add-page') return { kind }
  return kind === 'up' || kind === 'down' ? { kind, id } : undefined
}

/** The chosen ids after a move by one place; at the end of the list it stays. */
export function moved(ids: readonly string[], { kind, id }: { kind: 'up' | 'down'; id: string }) {
  const from = ids.indexOf(id)
  if (from < 0) return [...ids]
  const to = Math.min(Math.max(from + (kind === 'up' ? -1 : 1), 0), ids.length - 1)
  return ids.toSpliced(from, 1).toSpliced(to, 0, id)
}
