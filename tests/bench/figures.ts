/** One measured number. `limit` is what we promise; a figure without one is for comparison. */
export type Figure = {
  section: string
  name: string
  value: number
  unit: 'MB' | 'KB' | 'ms' | '×' | '/s' | 'ms of CPU' | ''
  /** The figure passes at or below this value. */
  atMost?: number
  /** The figure passes at or above this value. */
  atLeast?: number
}

/** Whether a figure keeps its limit; undefined when it has none. */
export function passes({ value, atMost, atLeast }: Figure): boolean | undefined {
  if (atMost !== undefined) return value <= atMost
  if (atLeast !== undefined) return value >= atLeast
}

/** The figures as a table for people, one row each. */
export function tableOf(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length))
  const rows: string[] = []
  let section = ''
  for (const figure of figures) {
    if (figure.section !== section) rows.push('', figure.section)
    section = figure.section
    rows.push(rowOf(figure, width))
  }
  return rows.join('\n')
}

function rowOf(figure: Figure, width: number): string {
  const { name, value, unit, atMost, atLeast } = figure
  const verdict = passes(figure)
  const mark = verdict === undefined ? ' ' : verdict ? '✓' : '✗'
  const limit =
    atMost !== undefined ? `  ≤ ${atMost}` : atLeast !== undefined ? `  ≥ ${atLeast}` : ''
  return `${mark} ${name.padEnd(width)}  ${shown(value).padStart(9)} ${unit.padEnd(3)}${limit}`
}

const shown = (value: number) =>
  Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2)

/** The middle value; the mean of the two middle ones for an even count. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (upper + lower) / 2
}

/** The value below which the given share (0 to 1) of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
