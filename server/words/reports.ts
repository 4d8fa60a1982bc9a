import type { Month } from '#server/domain/reports/month.ts'
import type { ReportKind } from '#server/domain/reports/report-kind.ts'
import { quoted } from './quoted.ts'

/* Words for reports, es-MX. */

export const reportNames: Record<ReportKind, string> = {
  documents: 'Documentos por tipo y estado',
  instruments: 'Índice de instrumentos',
}

/** What each report tells. */
export const reportLeads: Record<ReportKind, string> = {
  documents: 'Cuántos documentos se subieron en un periodo, por mes, tipo y estado.',
  instruments:
    'Cada instrumento con su número, libro, folios, fecha, acto y comparecientes, y los números que faltan.',
}

/** The report that an event names: `el reporte “Índice de instrumentos”`. */
export function reportText(kind: unknown): string {
  const isKnown = typeof kind === 'string' && Object.hasOwn(reportNames, kind)
  return isKnown ? `el reporte ${quoted(reportNames[kind as ReportKind])}` : 'un reporte'
}

const months = new Intl.DateTimeFormat('es-MX', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `noviembre de 2026` */
export const monthText = (month: Month): string => months.format(new Date(`${month}-01T00:00:00Z`))
