import type { TimestampFacts } from '#server/domain/verification/report.ts'
import { authorityText } from '#server/words/unconfirmed-names.ts'
import { timeText } from './phrases.ts'
import { sentenceOfWarning } from './warnings.ts'

/** The result of a timestamp in a word or two, es-MX. */
export const timestampResult = ({ valid, trusted }: Pick<TimestampFacts, 'valid' | 'trusted'>) =>
  !valid ? 'no válido' : trusted ? 'válido' : 'sin confirmar'

/** Time, authority and result of a timestamp, and why it does not count, es-MX. */
export function timestampText(stamp: TimestampFacts, zone?: string): string {
  const { time, reason } = stamp
  const parts = [time && timeText(time, zone), authorityText(stamp), timestampResult(stamp)]
  const text = parts.filter(Boolean).join(', ')
  return reason ? `${text}. ${sentenceOfWarning(reason)}` : text
}
