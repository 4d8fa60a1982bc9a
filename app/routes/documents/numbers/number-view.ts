import { numberText } from '#server/domain/documents/numbers/series-number.ts'
import type { NumberOfDocument } from '#server/features/numbers/read-number.ts'
import { NUMBERS_PATH } from './numbers-path.ts'

/** What the register says about the number of a document; null if it has none. */
export type NumberView = ReturnType<typeof numberView>

export function numberView(number: NumberOfDocument) {
  if (number.kind === 'none') return null
  if (number.kind === 'text') return { text: 'Fuera del registro de números.', to: null }
  const { entry, series, isAhead } = number
  const place = `${numberText(entry.first)} de ${series.name}`
  return {
    text: isAhead ? `${place}. Está adelantado: sigue el ${numberText(series.next ?? 0)}.` : place,
    to: `${NUMBERS_PATH}/${series.id}/${entry.first}`,
  }
}
