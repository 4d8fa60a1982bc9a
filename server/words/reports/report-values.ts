import type { ColumnKind, ReportColumn } from '#server/domain/reports/report-table.ts'

/* How the values of a report are written, es-MX. */

const money = new Intl.NumberFormat('es-MX', { style: 'currency', currency: 'MXN' })

/** For people: `1,204`, `$1,234.50`, `3 d 4 h`. */
export function valueText(value: string | number, kind: ColumnKind): string {
  if (typeof value === 'string') return value
  switch (kind) {
    case 'money':
      return money.format(value / 100)
    case 'duration':
      return durationText(value)
    default:
      return value.toLocaleString('es-MX')
  }
}

const MINUTE = 60_000

/** With its two largest units: `45 min`, `2 h 10 min`, `3 d 4 h`. */
function durationText(duration: number): string {
  const minutes = Math.round(duration / MINUTE)
  if (minutes < 1) return 'menos de 1 min'
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  const rest = minutes % 60
  if (hours === 0) return `${rest} min`
  return rest > 0 ? `${hours} h ${rest} min` : `${hours} h`
}

/** For spreadsheets: pesos, and hours. */
export function fileValue(value: string | number, kind: ColumnKind): string | number {
  if (typeof value === 'string') return value
  if (kind === 'money') return value / 100
  return kind === 'duration' ? Math.round(value / 36_000) / 100 : value
}

/** The header of a column in a spreadsheet, with the unit of its numbers. */
export function fileColumn({ name, kind }: ReportColumn): string {
  if (kind === 'money') return `${name} (pesos)`
  return kind === 'duration' ? `${name} (horas)` : name
}
