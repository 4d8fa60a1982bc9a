import { searchable } from '#server/domain/identity/text.ts'

/** The words of a day or a month: `2026 11 20`, `2026 11`. */
type DateWords = readonly string[]

const MONTHS = [
  ...['ene(?:ro)?', 'feb(?:rero)?', 'mar(?:zo)?', 'abr(?:il)?', 'may(?:o)?', 'jun(?:io)?'],
  ...[
    'jul(?:io)?',
    'ago(?:sto)?',
    'sept?(?:iembre)?',
    'oct(?:ubre)?',
    'nov(?:iembre)?',
    'dic(?:iembre)?',
  ],
].map((name) => new RegExp(`^${name}$`))

const MONTH = '([a-z]{3,10})\\.?'
const OF = '\\s+(?:del?\\s+)?'
const YEAR = '(\\d{4})'

/** The ways in which people write a date, each with the places of year, month and day in it. */
const WAYS: readonly { pattern: RegExp; year: number; month: number; day?: number }[] = [
  { pattern: /\b(\d{4})-(\d{1,2})-(\d{1,2})\b/g, year: 1, month: 2, day: 3 },
  { pattern: /\b(\d{1,2})([/.-])(\d{1,2})\2(\d{4})\b/g, year: 4, month: 3, day: 1 },
  {
    pattern: new RegExp(`\\b(\\d{1,2})${OF}${MONTH}${OF}${YEAR}\\b`, 'g'),
    year: 3,
    month: 2,
    day: 1,
  },
  { pattern: new RegExp(`\\b${MONTH}${OF}${YEAR}\\b`, 'g'), year: 2, month: 1 },
]

/**
 * The dates that a text names, and the text without them. `20 nov 2026`, `20 de noviembre de 2026`, `20/11/2026` and
 * `2026-11-20` are the same date; `noviembre de 2026` is a month.
 */
export function datesIn(text: string): { dates: DateWords[]; rest: string } {
  const dates: DateWords[] = []
  let rest = searchable(text)
  for (const way of WAYS)
    rest = rest.replace(way.pattern, (...parts) => {
      const words = dateAt(parts as string[], way)
      if (!words) return String(parts[0])
      dates.push(words)
      return ' '
    })
  return { dates, rest }
}

function dateAt(parts: readonly string[], way: (typeof WAYS)[number]): DateWords | undefined {
  const [year, month] = [parts[way.year] ?? '', monthIn(parts[way.month] ?? '')]
  if (month < 1 || month > 12) return undefined
  const yearAndMonth = [year, twoDigits(month)]
  if (way.day === undefined) return yearAndMonth
  const day = Number(parts[way.day])
  return day < 1 || day > 31 ? undefined : [...yearAndMonth, twoDigits(day)]
}

const monthIn = (text: string): number =>
  /^\d+$/.test(text) ? Number(text) : MONTHS.findIndex((name) => name.test(text)) + 1

const twoDigits = (number: number) => String(number).padStart(2, '0')
