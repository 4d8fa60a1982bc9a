import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { listChecklists } from '#server/features/checklists/read-checklist.ts'
import { originOfChecklist } from '#server/words/checklists.ts'
import type { Route } from './+types/list'

const PATH = '/dashboard/settings/checklists'

export const handle = { hydrate: true, label: 'Listas de revisión' }

export const meta: Route.MetaFunction = () => [{ title: 'Listas de revisión · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const lists = await orErrorPage(listChecklists(system, actor))
  return {
    rows: lists.map(({ act, checklist }) => ({
      ...{ id: act.id as string, name: act.name, origin: originOfChecklist(checklist) },
      before: checklist.items.filter(({ phase }) => phase === 'before').length,
      after: checklist.items.filter(({ phase }) => phase === 'after').length,
    })),
  }
}

const COLUMNS = [
  { name: 'Acto' },
  { name: 'Antes de firmar', isNumber: true },
  { name: 'Después', isNumber: true },
  { name: 'Lista' },
]

export default function Checklists({ loaderData }: Route.ComponentProps) {
  const { rows } = loaderData
  return (
    <>
      <PageHead
        title="Listas de revisión"
        lead={
          <>
            Lo que la notaría revisa en cada acto. Cada documento conserva la lista que se le puso.{' '}
            <PageLink to="/dashboard/settings">Volver a Configuración</PageLink>
          </>
        }
      />
      <Table caption="Listas de revisión por acto" columns={COLUMNS}>
        {rows.map((row) => (
          <Row key={row.id}>
            <Cell isTitle>
              <PageLink to={`${PATH}/${row.id}`}>{row.name}</PageLink>
            </Cell>
            <Cell label="Antes de firmar" isNumber>
              {row.before}
            </Cell>
            <Cell label="Después" isNumber>
              {row.after}
            </Cell>
            <Cell label="Lista">{row.origin}</Cell>
          </Row>
        ))}
      </Table>
    </>
  )
}
