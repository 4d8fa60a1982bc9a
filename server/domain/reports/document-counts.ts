import {
  type Document,
  type DocumentKind,
  DocumentState,
} from '#server/domain/documents/document.ts'
import type { Instant } from '#server/domain/time.ts'
import { type Month, monthsBetween, monthTeller } from './month.ts'

export type CountedDocument = Pick<Document, 'kind' | 'state'> & { uploadedAt: Instant }

export type KindCounts = {
  kind: DocumentKind
  states: Record<DocumentState, number>
  total: number
}

/** How many documents were uploaded in a period. */
export type DocumentCounts = {
  total: number
  /** The most frequent kind first; kinds without documents are left out. */
  kinds: KindCounts[]
  states: Record<DocumentState, number>
  /** Each month from that of the first document to that of the last one. */
  months: { month: Month; total: number }[]
}

/** Counts documents one by one, in any order; what it keeps does not grow with their number. */
export function createDocumentCounter(timeZone: string) {
  const kinds = new Map<DocumentKind, Record<DocumentState, number>>()
  const months = new Map<Month, number>()
  const monthOf = monthTeller(timeZone)
  return {
    add({ kind, state, uploadedAt }: CountedDocument): void {
      const states = kinds.get(kind) ?? noDocuments()
      states[state] += 1
      kinds.set(kind, states)
      const month = monthOf(uploadedAt)
      months.set(month, (months.get(month) ?? 0) + 1)
    },
    counts(): DocumentCounts {
      const rows = [...kinds].map(([kind, states]) => ({ kind, states, total: sumOf(states) }))
      const states = noDocuments()
      for (const row of rows) for (const state of STATES) states[state] += row.states[state]
      const known = [...months.keys()].toSorted()
      const [first, last] = [known[0], known.at(-1)]
      const all = first && last ? monthsBetween(first, last) : []
      return {
        total: sumOf(states),
        kinds: rows.toSorted((one, other) => other.total - one.total),
        states,
        months: all.map((month) => ({ month, total: months.get(month) ?? 0 })),
      }
    },
  }
}

const STATES = DocumentState.options

const noDocuments = () =>
  Object.fromEntries(STATES.map((state) => [state, 0])) as Record<DocumentState, number>

const sumOf = (states: Record<DocumentState, number>) =>
  STATES.reduce((sum, state) => sum + states[state], 0)
