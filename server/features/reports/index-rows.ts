import { dayText, partyText } from '#server/domain/documents/instrument.ts'
import { documentStates } from '#server/words/documents.ts'
import { numberStates, rangeText } from '#server/words/numbers.ts'
import { OUTSIDE_OF_REGISTER } from '#server/words/reports.ts'
import type { IndexLine } from './index-lines.ts'

/** A line of the index, as the page and the file show it. */
export type IndexRow = {
  /** Numbers, or twice the text in place of one. */
  first: number | string
  last: number | string
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

export function indexRow(line: IndexLine): IndexRow {
  const { document } = line
  // A document that left the number is named; what it was is no part of the index any more.
  const isHeld = line.kind === 'text' || line.entry.state === 'used'
  const instrument = isHeld ? document?.instrument : null
  return {
    ...numberOf(line),
    volume: instrument?.volume ?? '',
    folios: instrument?.folios ?? '',
    date: instrument?.date ?? '',
    day: instrument?.date ? dayText(instrument.date) : '',
    acts: instrument?.acts ?? '',
    parties: (instrument?.parties ?? []).map(partyText),
    state: isHeld && document ? documentStates[document.state] : stateOf(line),
    note: line.kind === 'entry' ? (line.entry.note ?? '') : '',
    document: document && { id: document.id, folio: document.folio, title: document.title },
  }
}

function numberOf(line: IndexLine): Pick<IndexRow, 'first' | 'last' | 'number'> {
  if (line.kind === 'entry') {
    const { first, last } = line.entry
    return { first, last, number: rangeText(line.entry) }
  }
  const { text } = line.text
  return { first: text, last: text, number: text }
}

const stateOf = (line: IndexLine) =>
  line.kind === 'entry' ? numberStates[line.entry.state] : OUTSIDE_OF_REGISTER
