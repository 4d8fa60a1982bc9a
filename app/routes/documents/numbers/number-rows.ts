import type { Tone } from '#app/ui/feedback/tone.ts'
import type { NumberState } from '#server/domain/documents/numbers/number-entry.ts'
import { formatDay } from '#server/domain/time.ts'
import type { NumberLine } from '#server/features/numbers/named-lines.ts'
import { documentStates } from '#server/words/documents.ts'
import { numberStates, rangeText } from '#server/words/numbers.ts'
import { NUMBERS_PATH } from './numbers-path.ts'

/** A line of the register, as the page shows it. */
export type NumberRow = {
  key: string
  /** `4,530 a 4,532` */
  number: string
  /** The page of the number; undefined for a text in place of one. */
  to: string | undefined
  state: string
  tone: Tone
  /** How many numbers a range has. */
  count: number
  document: { id: string; folio: string; title: string; state: string } | null
  note: string | null
  by: string | null
  at: number
  day: string
}

const TONES: Record<NumberState, Tone> = {
  used: 'good',
  reserved: 'note',
  left: 'wait',
  unused: 'plain',
  missing: 'bad',
}

export function numberRow(line: NumberLine, timeZone: string): NumberRow {
  const document = line.document && {
    ...{ id: line.document.id as string, folio: line.document.folio as string },
    ...{ title: line.document.title, state: documentStates[line.document.state] },
  }
  if (line.kind === 'text') {
    const { documentId, text, at } = line.text
    return {
      ...{ key: documentId, number: text, to: undefined, count: 1, document },
      ...{ state: 'Fuera del registro', tone: 'plain', note: null, by: null },
      ...{ at, day: formatDay(at, timeZone) },
    }
  }
  const { entry, by } = line
  const { seriesId, first, last, state, note, at } = entry
  return {
    ...{ key: String(first), number: rangeText(entry), count: last - first + 1, document },
    to: `${NUMBERS_PATH}/${seriesId}/${first}`,
    ...{ state: numberStates[state], tone: TONES[state], note, by },
    ...{ at, day: formatDay(at, timeZone) },
  }
}
