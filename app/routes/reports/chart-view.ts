import type { ColumnKind, ReportTable } from '#server/domain/reports/report-table.ts'
import { valueText } from '#server/words/reports/report-values.ts'

/** A bar of a chart of columns, in hundredths of its width and height. */
export type Bar = { x: number; width: number; height: number }

export type ShownChart = {
  /** What a reader of the screen hears: the table has the numbers. */
  alternative: string
  /** The name of each series with its bars. */
  series: { name: string; bars: Bar[] }[]
  /** From the top down to nothing. */
  ticks: string[]
  first: string
  last: string
}

/** A chart with fewer columns shows nothing that its table does not. */
const FEWEST = 2

/** The chart of columns of a table; undefined if it has none. */
export function shownChart({ name, columns, rows, chart }: ReportTable): ShownChart | undefined {
  if (chart?.kind !== 'columns' || rows.length < FEWEST) return undefined
  const kind = columns[chart.of[0] ?? 0]?.kind ?? 'count'
  const values = chart.of.map((column) => rows.map((row) => Number(row[column]?.value) || 0))
  const most = Math.max(...values.flat())
  if (most === 0) return undefined
  const top = roundTop(most, kind)
  const slot = 100 / rows.length
  const width = (slot * 0.8) / values.length
  const labelOf = (index: number) => String(rows.at(index)?.[0]?.value ?? '')
  return {
    series: values.map((ofSeries, series) => ({
      name: columns[chart.of[series] ?? 0]?.name ?? '',
      bars: ofSeries.map((value, index) => ({
        x: round(index * slot + slot * 0.1 + series * width),
        ...{ width: round(width), height: round((100 * value) / top) },
      })),
    })),
    ticks: [valueText(top, kind), valueText(top / 2, kind), '0'],
    ...{ first: labelOf(0), last: labelOf(-1) },
    alternative: `${name}, de ${labelOf(0)} a ${labelOf(-1)}. ${peakText(chart.of, values)}`,
  }

  function peakText(of: readonly number[], all: readonly number[][]): string {
    const peaks = all.map((ofSeries, series) => {
      const peak = Math.max(...ofSeries)
      const column = columns[of[series] ?? 0]
      return `${column?.name ?? ''}: lo más, ${valueText(peak, kind)} en ${labelOf(ofSeries.indexOf(peak))}.`
    })
    return peaks.join(' ')
  }
}

const round = (value: number) => Math.round(value * 100) / 100

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** The next value that halves into a round one, of a unit. */
function roundTop(most: number, kind: ColumnKind): number {
  const unit = unitOf(most, kind)
  const inUnits = most / unit
  const power = 10 ** Math.floor(Math.log10(inUnits))
  const step = [1, 2, 4, 6, 8].find((one) => one * power >= inUnits) ?? 10
  return Math.max(2, step * power) * unit
}

function unitOf(most: number, kind: ColumnKind): number {
  if (kind === 'money') return 100
  if (kind !== 'duration') return 1
  if (most > 3 * DAY) return DAY
  return most > 3 * HOUR ? HOUR : MINUTE
}
