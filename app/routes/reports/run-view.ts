import type { ReportFormat } from '#server/domain/reports/report-format.ts'
import type { ReportRun, RunState } from '#server/domain/reports/report-run.ts'
import { formatDay, formatInstant, parseInstant } from '#server/domain/time.ts'
import { monthText, reportNames } from '#server/words/reports.ts'

export type ShownRun = {
  id: string
  name: string
  /** Format, period and when it was asked for. */
  facts: string
  state: RunState
  /** What became of it, or how far it is. */
  status: string
  percent: number
  isOwn: boolean
}

const formatNames: Record<ReportFormat, string> = { csv: 'CSV', xlsx: 'Excel', pdf: 'PDF' }

/** A report that is made apart, as the page lists it. */
export function shownRun(run: ReportRun, zone: string): ShownRun {
  return {
    ...{ id: run.id, name: reportNames[run.kind], state: run.state, percent: run.percent },
    facts: [
      formatNames[run.format],
      ...periodOf(run),
      `${run.userId === null ? 'empezado' : 'pedido'} el ${formatInstant(run.createdAt, zone)}`,
    ].join(' · '),
    status: statusOf(run, zone),
    isOwn: run.userId !== null,
  }
}

function periodOf({ month, kind, query }: ReportRun): string[] {
  if (month) return [monthText(month)]
  const { from, to, first, last } = query
  const day = (text: string) => formatDay(parseInstant(text), 'UTC')
  if (kind === 'numbers') return []
  if (from && to) return [`del ${day(from)} al ${day(to)}`]
  if (from) return [`desde el ${day(from)}`]
  if (to) return [`hasta el ${day(to)}`]
  const number = (value: number) => value.toLocaleString('es-MX')
  if (first !== undefined && last !== undefined) return [`del ${number(first)} al ${number(last)}`]
  if (first !== undefined) return [`desde el ${number(first)}`]
  return last === undefined ? ['completo'] : [`hasta el ${number(last)}`]
}

function statusOf(run: ReportRun, zone: string): string {
  const rows = `${run.rowsRead.toLocaleString('es-MX')} registros leídos`
  switch (run.state) {
    case 'waiting':
      return run.rowsRead > 0
        ? `Se está haciendo: ${run.percent} %, ${rows}.`
        : 'En espera: empieza en unos segundos.'
    case 'ready':
      return run.file
        ? `Se puede descargar hasta el ${formatInstant(run.file.expiresAt, zone)}.`
        : 'Se puede descargar.'
    case 'failed':
      return 'No se pudo hacer. Pídalo otra vez.'
    default:
      return 'El archivo venció y se borró. Pídalo otra vez si lo necesita.'
  }
}
