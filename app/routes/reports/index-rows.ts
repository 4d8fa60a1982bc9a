import { dayText, partyText } from '#server/domain/documents/instrument.ts'
import type { IndexLine } from '#server/features/reports/instrument-index.ts'
import { documentStates } from '#server/words/documents.ts'
import { numberStates, rangeText } from '#server/words/numbers.ts'

/** A line of the index, as the page and the file show it. */
export type IndexRow = {
  first: number
  last: number
  number: string
  volume: string
  folios: string
  /** `2026-11-20` */
  date: string
  /** `20 nov 2026` */
  day: string
  acts: string
  parties: string[]
  /** The state of the number if no instrument has it, else that of the document. */
  state: string
  note: string
  document: { id: string; folio: string; title: string } | null
}

export function indexRow({ entry, document }: IndexLine): IndexRow {
  const { first, last, state, note } = entry
  // A document that left the number says nothing about it any more.
  const holder = state === 'used' ? document : null
  const instrument = holder?.instrument
  return {
    ...{ first, last, number: rangeText(entry) },
    volume: instrument?.volume ?? '',
    folios: instrument?.folios ?? '',
    date: instrument?.date ?? '',
    day: instrument?.date ? dayText(instrument.date) : '',
    acts: instrument?.acts ?? '',
    parties: (instrument?.parties ?? []).map(partyText),
    state: holder ? documentStates[holder.state] : numberStates[state],
    note: note ?? '',
    document: holder && { id: holder.id, folio: holder.folio, title: holder.title },
  }
}
