import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { type Act, electronicIn } from '#server/domain/signing/act/act.ts'
import { listActs } from '#server/features/acts/list-acts.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { countText, electronicAnswers } from '#server/words/acts.ts'
import type { Route } from './+types/list'

const PATH = '/dashboard/settings/acts'

export const handle = { hydrate: true, label: 'Actos' }

export const meta: Route.MetaFunction = () => [{ title: 'Actos · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { entity } = await orErrorPage(readOffice(system, actor))
  const acts = await orErrorPage(listActs(system, actor))
  return { entity, rows: acts.map((act) => rowOf(act, entity)) }
}

function rowOf(act: Act, entity: string) {
  const { answer, source, day } = electronicIn(act, entity)
  return {
    ...{ id: act.id as string, name: act.name, isRetired: act.state === 'retired', answer },
    signers: [
      ...act.roles.map((role) => `${role.character} (${countText(role)})`),
      ...(act.notary === 'signs' ? ['notario'] : []),
    ].join(', '),
    source: [source, day].filter((part) => part !== null).join(' · '),
  }
}

export default function ActList({ loaderData }: Route.ComponentProps) {
  const { rows, entity } = loaderData
  const columns = [
    { name: 'Acto' },
    { name: 'Firman' },
    { name: `Firma electrónica en ${entity}` },
    { name: 'Fuente' },
  ]
  return (
    <>
      <PageHead
        title="Actos"
        lead={
          <>
            Quién firma cada acto y si puede firmarse electrónicamente; se eligen al hacer una
            sesión de firma. <PageLink to="/dashboard/settings">Volver a Configuración</PageLink>
          </>
        }
        action={<ButtonLink to={`${PATH}/new`}>Agregar acto</ButtonLink>}
      />
      <Table caption="Actos de la notaría" columns={columns}>
        {rows.map((row) => (
          <Row key={row.id}>
            <Cell isTitle>
              <PageLink to={`${PATH}/${row.id}`}>{row.name}</PageLink>{' '}
              {row.isRetired && <Badge tone="plain">Retirado</Badge>}
            </Cell>
            <Cell label="Firman" isLong>
              {row.signers}
            </Cell>
            <Cell label="Firma electrónica">{electronicAnswers[row.answer]}</Cell>
            <Cell label="Fuente" isLong>
              {row.source}
            </Cell>
          </Row>
        ))}
      </Table>
    </>
  )
}
