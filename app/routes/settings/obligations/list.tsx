import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { dayText } from '#server/domain/documents/instrument.ts'
import type { Obligation } from '#server/domain/obligations/obligation.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { listObligations } from '#server/features/obligations/list-obligations.ts'
import {
  appliesText,
  isUnconfirmed,
  NOT_ADVICE,
  sourceText,
  termText,
  UNCONFIRMED,
} from '#server/words/obligations.ts'
import type { Route } from './+types/list'
import css from './obligations.module.css'

const PATH = '/dashboard/settings/obligations'

export const handle = { hydrate: true, label: 'Plazos y fuentes' }

export const meta: Route.MetaFunction = () => [{ title: 'Plazos y fuentes · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const obligations = await orErrorPage(listObligations(system, actor))
  return {
    rows: obligations.map(rowOf),
    canManage: isAllowed(mustBeSignedIn(actor).roles, 'obligations.manage'),
  }
}

const rowOf = (obligation: Obligation) => ({
  ...{ id: obligation.id as string, name: obligation.name, channel: obligation.channel },
  ...{ term: termText(obligation.term), applies: appliesText(obligation.term) },
  source: sourceText(obligation, obligation.sourceDay && dayText(obligation.sourceDay)),
  isOff: obligation.state === 'off',
  isUnconfirmed: isUnconfirmed(obligation),
})

const COLUMNS = [
  { name: 'Obligación' },
  { name: 'Plazo' },
  { name: 'De qué documentos' },
  { name: 'Fuente' },
  { name: 'Estado' },
]

export default function ObligationCatalogue({ loaderData }: Route.ComponentProps) {
  const { rows, canManage } = loaderData
  return (
    <>
      <PageHead
        title="Plazos y fuentes"
        lead={
          <>
            Las obligaciones de la notaría.{' '}
            <PageLink to="/dashboard/obligations">Ver los vencimientos</PageLink>
            {' · '}
            <PageLink to={`${PATH}/days`}>Ver los días inhábiles</PageLink>
          </>
        }
        action={canManage && <ButtonLink to={`${PATH}/new`}>Agregar obligación</ButtonLink>}
      />
      <p className={css.lead}>{NOT_ADVICE}</p>
      <Table caption="Obligaciones de la notaría" columns={COLUMNS}>
        {rows.map((row) => (
          <Row key={row.id}>
            <Cell isTitle>
              {canManage ? <PageLink to={`${PATH}/${row.id}`}>{row.name}</PageLink> : row.name}
              {row.channel && <span className={css.soft}>{row.channel}</span>}
            </Cell>
            <Cell label="Plazo">{row.term}</Cell>
            <Cell label="De qué documentos">{row.applies}</Cell>
            <Cell label="Fuente">
              {row.source}
              {row.isUnconfirmed && <span className={css.soft}>{UNCONFIRMED}</span>}
            </Cell>
            <Cell label="Estado" isWhole>
              <Badge tone={row.isOff ? 'plain' : 'good'}>{row.isOff ? 'Apagada' : 'En uso'}</Badge>
            </Cell>
          </Row>
        ))}
      </Table>
    </>
  )
}
