import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { Section } from '#app/ui/lists/section.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import {
  MOST_DOCUMENTS_COUNTED,
  readDocumentReport,
} from '#server/features/reports/read-document-report.ts'
import { reportLeads, reportNames } from '#server/words/reports.ts'
import type { Route } from './+types/documents'
import { KindTable, MonthTable } from './document-tables.tsx'
import { kindRows, monthRows } from './document-view.ts'
import { PeriodQuery } from './period-query.ts'
import { ReportHead } from './report-head.tsx'
import { ReportPeriod } from './report-period.tsx'
import css from './reports.module.css'
import { REPORTS_PATH } from './reports-path.ts'

export const handle = { hydrate: true, label: 'Documentos por tipo y estado' }

export const meta: Route.MetaFunction = () => [{ title: 'Documentos por tipo y estado · Rúbrica' }]

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const asked = PeriodQuery.parse(Object.fromEntries(url.searchParams))
  const { period, counts } = await orErrorPage(
    readDocumentReport(system, actor, asked, { as: 'page', signal: request.signal }),
  )
  return {
    name: reportNames.documents,
    lead: reportLeads.documents,
    period: { from: period.from as string, to: period.to as string },
    kinds: counts && kindRows(counts, period),
    months: counts && monthRows(counts),
    most: MOST_DOCUMENTS_COUNTED.toLocaleString('es-MX'),
  }
}

export default function DocumentReport({ loaderData }: Route.ComponentProps) {
  const { name, lead, period, kinds, months, most } = loaderData
  const file = address(`${REPORTS_PATH}/documents.csv`, period)
  return (
    <>
      <ReportHead name={name} lead={lead} />
      <ReportPeriod period={period} />
      {!kinds || !months ? (
        <EmptyState>
          En estos días se subieron más de {most} documentos: elija un periodo más corto, o{' '}
          <PageLink to={file} reloadDocument>
            exporte la cuenta a un archivo CSV
          </PageLink>
          .
        </EmptyState>
      ) : months.length === 0 ? (
        <EmptyState>En estos días no se subió ningún documento.</EmptyState>
      ) : (
        <div className={css.sections}>
          <Section
            title="Por tipo y estado"
            aside={
              <PageLink to={file} reloadDocument>
                Exportar CSV
              </PageLink>
            }
          >
            <KindTable rows={kinds} />
          </Section>
          <Section title="Por mes">
            <MonthTable rows={months} />
          </Section>
        </div>
      )}
    </>
  )
}
