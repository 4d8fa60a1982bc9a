import type { DocumentState } from '#server/domain/documents/document.ts'
import type { NumberState } from '#server/domain/documents/numbers/number-entry.ts'
import type { AccessName } from '#server/domain/reports/access-counts.ts'
import type { ActivityName } from '#server/domain/reports/activity-counts.ts'
import type { CertificateHolder } from '#server/domain/reports/certificate-counts.ts'
import type { MonthOfConstancias } from '#server/domain/reports/constancia-counts.ts'
import type { Counted, CountsOf } from '#server/domain/reports/counted-report.ts'
import type { Durations } from '#server/domain/reports/durations.ts'
import type { Month } from '#server/domain/reports/month.ts'
import type { ReportCell, ReportColumn, ReportTable } from '#server/domain/reports/report-table.ts'
import { formatDay, parseInstant } from '#server/domain/time.ts'
import { certificateKinds } from '#server/words/certificates.ts'
import { documentKinds, documentStatesOfMany } from '#server/words/documents.ts'
import { numberStatesOfMany } from '#server/words/numbers.ts'
import { monthText } from '#server/words/reports.ts'

/** What the tables need besides the counts. */
export type TableFrame = {
  /** The names of the people of the office, by id. */
  people: ReadonlyMap<string, string>
  period: { from: string; to: string }
  /** See `percentileOf`. */
  percentileOf: (durations: Durations, share: number) => number | undefined
  /** See `monthsBetween`. */
  monthsBetween: (first: Month, last: Month) => Month[]
}

/** The tables of a counted report, es-MX. */
export function tablesOf(counted: Counted, frame: TableFrame): ReportTable[] {
  switch (counted.kind) {
    case 'documents':
      return documentTables(counted.counts, frame)
    case 'acts':
      return [actTable(counted.counts)]
    case 'times':
      return timeTables(counted.counts, frame)
    case 'activity':
      return activityTables(counted.counts, frame)
    case 'accesses':
      return accessTables(counted.counts, frame)
    case 'certificates':
      return certificateTables(counted.counts, frame)
    case 'numbers':
      return [numberTable(counted.counts)]
    case 'constancias':
      return [constanciaTable(counted.counts, frame)]
  }
}

type Counts = Partial<Record<string, number>>

const text = (name: string): ReportColumn => ({ name, kind: 'text' })
const count = (name: string): ReportColumn => ({ name, kind: 'count' })

const total = (counts: Counts) =>
  Object.values(counts).reduce<number>((sum, one) => sum + (one ?? 0), 0)

/** The sum of each column of counts, under the word Total. */
function sumOf(rows: readonly (readonly ReportCell[])[]): ReportCell[] {
  const [first] = rows
  return (first ?? []).map((_, column) => ({
    value:
      column === 0 ? 'Total' : rows.reduce((sum, row) => sum + Number(row[column]?.value ?? 0), 0),
  }))
}

/** A row for each name, a column for each of the counts, and their sum. */
function countTable<Name extends string>(
  table: { name: string; of: string; note?: string; withTotal?: boolean },
  names: Record<Name, string>,
  lines: readonly { name: string; counts: Partial<Record<Name, number>> }[],
): ReportTable {
  const { name, of, note, withTotal = true } = table
  const keys = Object.keys(names) as Name[]
  const rows = lines.map((line) => [
    { value: line.name },
    ...keys.map((key) => ({ value: line.counts[key] ?? 0 })),
    ...(withTotal ? [{ value: total(line.counts) }] : []),
  ])
  return {
    name,
    columns: [
      text(of),
      ...keys.map((key) => count(names[key])),
      ...(withTotal ? [count('Total')] : []),
    ],
    rows,
    ...(rows.length > 1 && { sum: sumOf(rows) }),
    ...(note !== undefined && { note }),
  }
}

/** By the total, the largest first. */
const byTotal = <T extends { counts: Counts }>(lines: readonly T[]): T[] =>
  lines.toSorted((one, other) => total(other.counts) - total(one.counts))

/** Each month from the first that has something to the last. */
function monthLines<T>(
  months: Partial<Record<Month, T>>,
  { monthsBetween }: TableFrame,
): { month: Month; counts: T | undefined }[] {
  const known = (Object.keys(months) as Month[]).toSorted()
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last) return []
  return monthsBetween(first, last).map((month) => ({ month, counts: months[month] }))
}

const hasRows = ({ rows }: ReportTable) => rows.length > 0

function documentTables(
  { kinds, months }: CountsOf['documents'],
  frame: TableFrame,
): ReportTable[] {
  const states = Object.keys(documentStatesOfMany) as DocumentState[]
  const found = Object.entries(kinds).map(([kind, counts]) => ({ kind, counts }))
  const cells = (counts: Counts, query: Record<string, string>) =>
    [...states, undefined].map((state) => {
      const value = state ? (counts[state] ?? 0) : total(counts)
      const asked = { ...query, ...(state && { state }), ...frame.period }
      return { value, ...(value > 0 && { list: { of: 'documents' as const, query: asked } }) }
    })
  const rows = byTotal(found).map(({ kind, counts }) => [
    { value: documentKinds[kind as keyof typeof documentKinds] },
    ...cells(counts, { kind }),
  ])
  const all: Counts = {}
  for (const { counts } of found)
    for (const state of states) all[state] = (all[state] ?? 0) + (counts[state] ?? 0)
  return [
    {
      name: 'Documentos por tipo y estado',
      columns: [
        text('Tipo'),
        ...states.map((state) => count(documentStatesOfMany[state])),
        count('Total'),
      ],
      rows,
      sum: [{ value: 'Total' }, ...cells(all, {})],
    },
    {
      name: 'Documentos por mes',
      columns: [text('Mes'), count('Documentos')],
      rows: monthLines(months, frame).map(({ month, counts }) => [
        { value: monthText(month) },
        { value: counts ?? 0 },
      ]),
      chart: { kind: 'columns' as const, of: [1] },
    },
  ].filter(hasRows)
}

function actTable({ acts, others, without }: CountsOf['acts']): ReportTable {
  const known = Object.values(acts).map(({ name, states }) => ({ name, counts: states }))
  const table = countTable(
    {
      name: 'Documentos por acto',
      of: 'Acto',
      note: 'El acto es el que se escribió en los datos del instrumento; las mayúsculas no cuentan.',
    },
    documentStatesOfMany,
    [
      ...byTotal(known),
      ...[
        { name: 'Otros actos', counts: others },
        { name: 'Sin acto', counts: without },
      ].filter(({ counts }) => total(counts) > 0),
    ],
  )
  return { ...table, chart: { kind: 'bars', column: table.columns.length - 1 } }
}

const TIME_COLUMNS: readonly ReportColumn[] = [
  count('Firmados'),
  { name: 'Mediana', kind: 'duration' },
  { name: 'Percentil 90', kind: 'duration' },
]

function timeTables(
  { kinds, months, sessions }: CountsOf['times'],
  frame: TableFrame,
): ReportTable[] {
  const cells = (durations: Durations): ReportCell[] => {
    const shown = (share: number) => ({
      value: frame.percentileOf(durations, share) ?? 'Sin datos',
    })
    return [{ value: total(durations) }, shown(0.5), shown(0.9)]
  }
  const ofKinds = Object.entries(kinds).map(([kind, counts]) => ({ kind, counts }))
  const merged: Record<string, number> = {}
  for (const { counts } of ofKinds)
    for (const [name, more] of Object.entries(counts)) merged[name] = (merged[name] ?? 0) + more
  return [
    {
      name: 'Desde que se sube hasta la última firma, por tipo',
      columns: [text('Tipo'), ...TIME_COLUMNS],
      rows: byTotal(ofKinds).map(({ kind, counts }) => [
        { value: documentKinds[kind as keyof typeof documentKinds] },
        ...cells(counts),
      ]),
      ...(ofKinds.length > 1 && { sum: [{ value: 'Todos' }, ...cells(merged)] }),
      note: 'La mitad de los documentos tardó la mediana o menos, y nueve de cada diez, el percentil 90 o menos. La diferencia con el valor exacto es de medio minuto, o de 1 % si pasa de una hora.',
    },
    {
      name: 'Por mes de la última firma',
      columns: [text('Mes'), ...TIME_COLUMNS],
      rows: monthLines(months, frame).map(({ month, counts }) => [
        { value: monthText(month) },
        ...cells(counts ?? {}),
      ]),
      chart: { kind: 'columns' as const, of: [2] },
    },
    {
      name: 'Desde que se abre la sesión de firma hasta que se completa',
      columns: [text('Qué'), count('Completadas'), ...TIME_COLUMNS.slice(1)],
      rows: total(sessions) > 0 ? [[{ value: 'Sesiones de firma' }, ...cells(sessions)]] : [],
    },
  ].filter(hasRows)
}

const activityNames: Record<ActivityName, string> = {
  uploaded: 'Documentos subidos',
  opened: 'Sesiones abiertas',
  signed: 'Firmas',
  copied: 'Copias expedidas',
  cancelled: 'Cancelaciones',
}

function activityTables(
  { people, guests, system, months }: CountsOf['activity'],
  frame: TableFrame,
): ReportTable[] {
  const ofPeople = Object.entries(people).map(([id, counts]) => ({
    ...{ name: frame.people.get(id) ?? 'Persona que ya no está', counts: counts ?? {} },
  }))
  const others = [
    { name: 'Firmantes externos', counts: guests },
    { name: 'Rúbrica, por sí misma', counts: system },
  ].filter(({ counts }) => total(counts) > 0)
  const byPerson = countTable(
    { name: 'Actividad por persona', of: 'Persona', withTotal: false },
    activityNames,
    [...byTotal(ofPeople), ...others],
  )
  const byMonth = countTable(
    { name: 'Actividad por mes', of: 'Mes', withTotal: false },
    activityNames,
    monthLines(months, frame).map(({ month, counts }) => ({
      ...{ name: monthText(month), counts: counts ?? {} },
    })),
  )
  return [byPerson, { ...byMonth, chart: { kind: 'columns' as const, of: [1, 3] } }].filter(hasRows)
}

const accessNames: Record<AccessName, string> = {
  entered: 'Inicios de sesión',
  refused: 'Intentos rechazados',
  denied: 'Accesos denegados',
}

function accessTables(
  { people, unknown, days }: CountsOf['accesses'],
  frame: TableFrame,
): ReportTable[] {
  const ofPeople = Object.entries(people).map(([id, counts]) => ({
    ...{ name: frame.people.get(id) ?? 'Persona que ya no está', counts: counts ?? {} },
  }))
  const others = total(unknown) > 0 ? [{ name: 'Sin cuenta conocida', counts: unknown }] : []
  const byPerson = countTable(
    {
      ...{ name: 'Accesos por persona', of: 'Persona', withTotal: false },
      note: 'Rechazado: la contraseña, el código o la llave no correspondía, o hubo demasiados intentos. Denegado: lo que pidió no lo permiten sus roles. No incluye los intentos con correos que no tienen cuenta.',
    },
    accessNames,
    [...byTotal(ofPeople), ...others],
  )
  const byDay = countTable(
    { name: 'Accesos por día', of: 'Día', withTotal: false },
    accessNames,
    Object.entries(days)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([day, counts]) => ({
        ...{ name: formatDay(parseInstant(day), 'UTC'), counts: counts ?? {} },
      })),
  )
  return [byPerson, { ...byDay, chart: { kind: 'columns' as const, of: [1, 2] } }].filter(hasRows)
}

const holderNames: Record<CertificateHolder, string> = {
  staff: 'De la notaría',
  others: 'De otros firmantes',
}

function certificateTables(
  { months, kinds }: CountsOf['certificates'],
  frame: TableFrame,
): ReportTable[] {
  const byMonth = countTable(
    { name: 'Certificados por mes de vencimiento', of: 'Mes' },
    holderNames,
    monthLines(months, frame).map(({ month, counts }) => ({
      ...{ name: monthText(month), counts: counts ?? {} },
    })),
  )
  const byKind = countTable(
    { name: 'Certificados por tipo', of: 'Tipo' },
    holderNames,
    byTotal(
      Object.entries(kinds).map(([kind, counts]) => ({
        ...{ name: certificateKinds[kind as keyof typeof certificateKinds], counts: counts ?? {} },
      })),
    ),
  )
  return [{ ...byMonth, chart: { kind: 'columns' as const, of: [1, 2] } }, byKind].filter(hasRows)
}

function numberTable({ series }: CountsOf['numbers']): ReportTable {
  const states = Object.keys(numberStatesOfMany) as NumberState[]
  return {
    name: 'Números de cada serie',
    columns: [
      text('Serie'),
      ...states.map((state) => count(numberStatesOfMany[state])),
      count('Huecos'),
    ],
    rows: Object.entries(series).flatMap(([id, counts]) => {
      if (!counts) return []
      const cells = states.map((state) => {
        const value = counts.numbers[state] ?? 0
        const query = { series: id, show: state }
        return { value, ...(value > 0 && { list: { of: 'numbers' as const, query } }) }
      })
      return [[{ value: counts.name }, ...cells, { value: counts.gaps }]]
    }),
    note: 'Un hueco es una serie de números seguidos que faltan. Cada cuenta lleva a su lista, donde se anota el motivo.',
  }
}

const WITHOUT_COST = 'Sin costo registrado'

function constanciaTable({ months }: CountsOf['constancias'], frame: TableFrame): ReportTable {
  const lines = monthLines(months, frame).map(({ month, counts }) => ({
    ...{ name: monthText(month), counts: counts ?? NONE },
  }))
  const all = lines.reduce(
    (sum, { counts }) => ({
      issued: sum.issued + counts.issued,
      pending: sum.pending + counts.pending,
      failed: sum.failed + counts.failed,
      cost: sum.cost + counts.cost,
      withoutCost: sum.withoutCost + counts.withoutCost,
    }),
    NONE,
  )
  return {
    name: 'Constancias por mes en que se pidieron',
    columns: [
      text('Mes'),
      ...['Emitidas', 'Pendientes', 'Fallidas'].map(count),
      { name: 'Costo', kind: 'money' },
      count('Sin costo registrado'),
    ],
    rows: lines.map(({ name, counts }) => [{ value: name }, ...constanciaCells(counts)]),
    ...(lines.length > 1 && { sum: [{ value: 'Total' }, ...constanciaCells(all)] }),
    chart: { kind: 'columns', of: [1] },
    note: 'El costo es el que el proveedor tenía registrado cuando emitió cada constancia. Un administrador lo registra en la página del proveedor, en Configuración.',
  }
}

const NONE: MonthOfConstancias = { issued: 0, pending: 0, failed: 0, cost: 0, withoutCost: 0 }

function constanciaCells(counts: MonthOfConstancias): ReportCell[] {
  const { issued, pending, failed, cost, withoutCost } = counts
  const isUnknown = issued > 0 && withoutCost === issued
  return [
    ...[issued, pending, failed].map((value) => ({ value })),
    { value: isUnknown ? WITHOUT_COST : cost },
    { value: withoutCost },
  ]
}
