import { expect, test } from 'vitest'
import { shownTable } from '#app/routes/reports/report-view.ts'
import type { ReportTable } from '#server/domain/reports/report-table.ts'
import { fileColumn, fileValue, valueText } from '#server/words/reports/report-values.ts'

const ofMonths = (
  values: readonly number[],
  kind: 'count' | 'duration' = 'count',
): ReportTable => ({
  name: 'Documentos por mes',
  columns: [
    { name: 'Mes', kind: 'text' },
    { name: 'Documentos', kind },
  ],
  rows: values.map((value, index) => [{ value: `mes ${index + 1}` }, { value }]),
  chart: { kind: 'columns', of: [1] },
})

test('chart of columns: heights are shares of a round top, and words say the range and the peak', () => {
  const { chart } = shownTable(ofMonths([5, 0, 34]))
  expect(chart?.ticks).toEqual(['40', '20', '0'])
  expect(chart?.series[0]?.bars.map(({ height }) => height)).toEqual([12.5, 0, 85])
  expect(chart?.alternative).toBe(
    'Documentos por mes, de mes 1 a mes 3. Documentos: lo más, 34 en mes 3.',
  )
})

test.each([
  [
    [1, 1],
    ['2', '1', '0'],
  ],
  [
    [10, 3],
    ['10', '5', '0'],
  ],
  [
    [11, 3],
    ['20', '10', '0'],
  ],
  [
    [999_999, 3],
    ['1,000,000', '500,000', '0'],
  ],
])('chart of columns: of %j, the axis is %j', (values, ticks) => {
  expect(shownTable(ofMonths(values)).chart?.ticks).toEqual(ticks)
})

test('chart of columns: durations have an axis of whole units', () => {
  const day = 86_400_000
  expect(shownTable(ofMonths([7 * day, day], 'duration')).chart?.ticks).toEqual(['8 d', '4 d', '0'])
  expect(shownTable(ofMonths([5 * 60_000, 0], 'duration')).chart?.ticks).toEqual([
    ...['6 min', '3 min', '0'],
  ])
})

test('chart of columns: none of one month, or of nothing', () => {
  expect(shownTable(ofMonths([7])).chart).toBeUndefined()
  expect(shownTable(ofMonths([0, 0])).chart).toBeUndefined()
})

test('bars: the share of the largest value of the column, but not of the sum', () => {
  const table = ofMonths([10, 4])
  const sum = [{ value: 'Total' }, { value: 14 }]
  const { rows } = shownTable({ ...table, sum, chart: { kind: 'bars', column: 1 } })
  expect(rows.map(({ cells }) => cells[1]?.share)).toEqual([100, 40, undefined])
})

test('a count leads to its list', () => {
  const [cell] = shownTable({
    ...ofMonths([]),
    columns: [{ name: 'Total', kind: 'count' }],
    rows: [[{ value: 2, list: { of: 'documents', query: { kind: 'will', from: '2026-01-01' } } }]],
  }).rows[0]!.cells
  expect(cell?.to).toBe('/dashboard/documents?kind=will&from=2026-01-01')
})

test('values: for people in their units, for spreadsheets in pesos and hours', () => {
  expect(valueText(123_450, 'money')).toBe('$1,234.50')
  const texts = [20_000, 45 * 60_000, 130 * 60_000, 3_600_000, 76 * 3_600_000, 86_400_000]
  expect(texts.map((one) => valueText(one, 'duration'))).toEqual([
    ...['menos de 1 min', '45 min', '2 h 10 min', '1 h', '3 d 4 h', '1 d'],
  ])
  expect(valueText(1204, 'count')).toBe('1,204')
  expect([fileValue(950, 'money'), fileValue(5_400_000, 'duration')]).toEqual([9.5, 1.5])
  expect(fileColumn({ name: 'Costo', kind: 'money' })).toBe('Costo (pesos)')
})
