import { actorContext } from '#app/http/context.ts'
import { Item, ItemList } from '#app/ui/lists/item-list.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { actionToRead, ReportKind } from '#server/domain/reports/report-kind.ts'
import { reportLeads, reportNames } from '#server/words/reports.ts'
import type { Route } from './+types/list'
import { FILES_PATH, REPORTS_PATH } from './reports-path.ts'

export const handle = { hydrate: true, label: 'Reportes' }

export const meta: Route.MetaFunction = () => [{ title: 'Reportes · Rúbrica' }]

export function loader({ context }: Route.LoaderArgs) {
  const { roles } = mustBeSignedIn(context.get(actorContext))
  const readable = ReportKind.options.filter((kind) => isAllowed(roles, actionToRead(kind)))
  return {
    reports: readable.map((kind) => ({
      ...{ to: `${REPORTS_PATH}/${kind}`, name: reportNames[kind], lead: reportLeads[kind] },
    })),
  }
}

export default function ReportList({ loaderData: { reports } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Reportes"
        lead={
          <>
            Lo que la notaría ha hecho, contado y en listas.{' '}
            <PageLink to={FILES_PATH}>Archivos de reportes</PageLink>
          </>
        }
      />
      <ItemList>
        {reports.map(({ to, name, lead }) => (
          <Item key={to} icon="report" name={<PageLink to={to}>{name}</PageLink>}>
            <p>{lead}</p>
          </Item>
        ))}
      </ItemList>
    </>
  )
}
