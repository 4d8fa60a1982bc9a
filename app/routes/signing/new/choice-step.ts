/** What a button of the form asks for before the session is created. */
export type ChoiceStep =
  | { kind: 'search' }
  /** The next page of the search. */
  | { kind: 'next' }
  /** Adds everything that the page of the search shows. */
  | { kind: 'add-page' }
  | { kind: 'up' | 'down'; id: string }
  /** Rows for the signers of the chosen act. */
  | { kind: 'act' }
  | { kind: 'add-user' | 'add-external' }
  /** Adds the marked parties of the catalogue. */
  | { kind: 'add-parties' }
  | { kind: 'signer-up' | 'signer-down' | 'signer-remove'; id: string }

const ALONE = [
  'search',
  'next',
  'add-page',
  'act',
  'add-user',
  'add-external',
  'add-parties',
] as const
const ABOUT_ONE = ['up', 'down', 'signer-up', 'signer-down', 'signer-remove'] as const

/** Reads the value of the pressed button; undefined for the one that creates the session, or none. */
export function stepOf(pressed: string | undefined): ChoiceStep | undefined {
  const [kind = '', id = ''] = (pressed ?? '').split(':')
  const alone = ALONE.find((one) => one === kind)
  if (alone) return { kind: alone }
  const about = ABOUT_ONE.find((one) => one === kind)
  return about && { kind: about, id }
}

/** The list after a move of one of its items by one place; at the end of the list it stays. */
export function moved<T>(items: readonly T[], from: number, direction: 'up' | 'down'): T[] {
  const item = items[from]
  if (item === undefined) return [...items]
  const to = Math.min(Math.max(from + (direction === 'up' ? -1 : 1), 0), items.length - 1)
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}
