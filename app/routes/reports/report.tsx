import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { Problem } from '#server/domain/problem.ts'
import { CountedKind } from '#server/domain/reports/report-kind.ts'
import { MOST_ROWS_AT_ONCE, readReport } from '#server/features/reports/read-report.ts'
import { tablesOfReport } from '#server/features/reports/tables-of-report.ts'
import { reportLeads, reportNames } from '#server/words/reports.ts'
import type { Route } from './+types/report'
import { Downloads } from './downloads.tsx'
import { PeriodQuery } from './period-query.ts'
import { ReportHead } from './report-head.tsx'
import { ReportPeriod } from './report-period.tsx'
import { ReportTables } from './report-tables.tsx'
import { shownTable } from './report-view.ts'
import { RequestForm } from './request-form.tsx'

export const handle = { hydrate: true, label: 'Reportes' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.name ?? 'Reporte'} · Rúbrica` },
]

export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const kind = await orErrorPage(kindOf(params.kind))
  const asked = { kind, ...PeriodQuery.parse(Object.fromEntries(url.searchParams)) }
  const report = await orErrorPage(
    readReport(system, actor, asked, { as: 'page', signal: request.signal }),
  )
  const { from, to } = report.period
  return {
    ...{ kind, name: reportNames[kind], lead: reportLeads[kind] },
    // The register of numbers is as it is now.
    period: kind === 'numbers' ? undefined : { from: from as string, to: to as string },
    tables: report.counted && tablesOfReport(report, report.counted).map(shownTable),
    most: MOST_ROWS_AT_ONCE.toLocaleString('es-MX'),
  }
}

async function kindOf(text: string): Promise<CountedKind> {
  const kind = CountedKind.safeParse(text)
  if (!kind.success) throw new Problem('not-found', 'no such report')
  return kind.data
}

export default function Report({ loaderData }: Route.ComponentProps) {
  const { kind, name, lead, period, tables, most } = loaderData
  const hasRows = tables?.some(({ rows }) => rows.length > 0)
  return (
    <>
      <ReportHead name={name} lead={lead} />
      {period && <ReportPeriod period={period} />}
      {!tables ? (
        <EmptyState next={<RequestForm kind={kind} query={{ ...period }} />}>
          {period
            ? `Estos días tienen más de ${most} registros: elija un periodo más corto, o prepare un archivo, que se hace aparte.`
            : `Hay más de ${most} registros: prepare un archivo, que se hace aparte.`}
        </EmptyState>
      ) : !hasRows ? (
        <EmptyState>
          {period ? 'En estos días no hay nada que contar.' : 'Todavía no hay nada que contar.'}
        </EmptyState>
      ) : (
        <>
          <Downloads kind={kind} query={{ ...period }} />
          <ReportTables tables={tables} />
        </>
      )}
    </>
  )
}
