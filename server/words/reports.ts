import type { ReportSchedule } from '#server/domain/identity/office.ts'
import type { Month } from '#server/domain/reports/month.ts'
import type { ReportKind } from '#server/domain/reports/report-kind.ts'
import type { ReportTable } from '#server/domain/reports/report-table.ts'
import { MONTH_NAMES } from '#server/domain/text/month-names.ts'
import { quoted } from './quoted.ts'

/* Words for reports, es-MX. */

export const reportNames: Record<ReportKind, string> = {
  instruments: 'Índice de instrumentos',
  documents: 'Documentos por tipo y estado',
  acts: 'Documentos por acto',
  times: 'Tiempo para firmar',
  activity: 'Actividad por persona',
  accesses: 'Accesos',
  certificates: 'Certificados por vencimiento',
  numbers: 'Huecos en la numeración',
  constancias: 'Constancias y su costo',
}

/** When an office wants its reports. */
export const reportSchedules: Record<ReportSchedule, string> = {
  none: 'Solo cuando alguien los pide',
  monthly: 'Cada mes, los del mes anterior',
}

/** What each report tells. */
export const reportLeads: Record<ReportKind, string> = {
  instruments:
    'Cada instrumento con su número, libro, folios, fecha, acto y comparecientes, y los números que faltan.',
  documents: 'Cuántos documentos se subieron en un periodo, por mes, tipo y estado.',
  acts: 'Cuántos documentos se subieron en un periodo, por el acto de su instrumento.',
  times: 'Cuánto pasa desde que se sube un documento, o se abre su sesión, hasta su última firma.',
  activity: 'Qué hizo cada persona de la notaría en un periodo.',
  accesses: 'Quién inició sesión y qué se rechazó, por persona y por día.',
  certificates: 'Cuántos certificados vencen en un periodo, por mes y por tipo.',
  numbers: 'Qué pasó con los números de cada serie: usados, apartados, sin usar y los que faltan.',
  constancias: 'Las constancias NOM-151 que se pidieron en un periodo y lo que costaron.',
}

/** The report that an event names: `el reporte “Índice de instrumentos”`. */
export function reportText(kind: unknown): string {
  const isKnown = typeof kind === 'string' && Object.hasOwn(reportNames, kind)
  return isKnown ? `el reporte ${quoted(reportNames[kind as ReportKind])}` : 'un reporte'
}

/** `noviembre de 2026` */
export function monthText(month: Month): string {
  const [year, number] = month.split('-')
  return `${MONTH_NAMES[Number(number) - 1]} de ${year}`
}

/** `índice de Escrituras y actas` */
export const indexName = (series: string): string => `índice de ${series}`

/** The days of a report, on its file. */
/** In place of tables: a workbook without a sheet cannot be opened. */
export const NOTHING_COUNTED: ReportTable = {
  name: 'Sin datos',
  columns: [{ name: 'Resultado', kind: 'text' }],
  rows: [[{ value: 'No hay nada que contar en estas fechas.' }]],
}

export const periodText = (from: string, to: string): string => `Del ${from} al ${to}`

/** Days of which one may be open. */
export function daysText(from: string | undefined, to: string | undefined): string {
  if (from !== undefined && to !== undefined) return periodText(from, to)
  return from === undefined ? `Hasta el ${to}` : `Desde el ${from}`
}

/** When a file was made. */
export const madeText = (at: string): string => `Hecho el ${at}`

/** In the name of a file. */
export const periodOfName = ({ from, to }: { from: string; to: string }): string =>
  ` ${from} a ${to}`

/** Days of which one may be open, in the name of a file. */
export const daysOfName = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  (from ?? to) === undefined ? '' : periodOfName({ from: from ?? 'inicio', to: to ?? 'hoy' })

/** The state of an instrument with a text in place of a number. */
export const OUTSIDE_OF_REGISTER = 'Fuera del registro'
