import type { DocumentState } from '#server/domain/documents/document.ts'
import { type Counts, countOne } from './counts.ts'

/** More acts are counted together: an act is a text that people type. */
export const MOST_ACTS = 200

/** How many documents were uploaded in a period, by the act of their instrument. */
export type ActCounts = {
  /** By `keyOf`, with the first spelling. */
  acts: Record<string, { name: string; states: Counts<DocumentState> }>
  /** Of acts beyond the limit. */
  others: Counts<DocumentState>
  /** Documents without an act. */
  without: Counts<DocumentState>
}

export const noActs = (): ActCounts => ({ acts: {}, others: {}, without: {} })

/** Acts are the same if they differ in case only. */
export function countAct(counts: ActCounts, act: string | null, state: DocumentState): void {
  countOne(act === null ? counts.without : countsOf(counts, act), state)
}

function countsOf({ acts, others }: ActCounts, name: string): Counts<DocumentState> {
  const key = keyOf(name)
  const known = acts[key]
  if (known) return known.states
  if (Object.keys(acts).length >= MOST_ACTS) return others
  const states = {}
  acts[key] = { name, states }
  return states
}

/** With a sign in front: no text that people type is the name of a property that every object has. */
const keyOf = (name: string) => `·${name.toLowerCase()}`
