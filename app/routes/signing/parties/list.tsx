import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import css from '#app/ui/lists/list-toolbar.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { SearchForm } from '#app/ui/lists/search-form.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { Email } from '#app/ui/text/email.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { formatDay } from '#server/domain/time.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { ListKnownParties, listKnownParties } from '#server/features/parties/list-known-parties.ts'
import type { Route } from './+types/list'

const PATH = '/dashboard/signing/parties'

const { text, behind } = ListKnownParties.shape

/** The query parameters; invalid ones are ignored. */
const Query = z.object({ text: text.catch(undefined), behind: behind.catch(undefined) })

export const handle = { hydrate: true, label: 'Catálogo de partes' }

export const meta: Route.MetaFunction = () => [{ title: 'Catálogo de partes · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const query = Query.parse(Object.fromEntries(url.searchParams))
  const { parties, next } = await orErrorPage(listKnownParties(system, actor, query))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  return {
    rows: parties.map(({ id, name, rfc, email, character, at }) => ({
      ...{ id, name, rfc, email, character },
      at: at as number,
      when: formatDay(at, timeZone),
    })),
    next,
    text: query.text ?? '',
    isLaterPage: query.behind !== undefined,
  }
}

const COLUMNS = [
  { name: 'Nombre' },
  { name: 'RFC' },
  { name: 'Último carácter' },
  { name: 'Correo electrónico' },
  { name: 'Último uso o cambio', isNumber: true },
]

export default function PartyList({ loaderData }: Route.ComponentProps) {
  const { rows, next, text, isLaterPage } = loaderData
  return (
    <>
      <PageHead
        title="Catálogo de partes"
        lead="Las personas externas a quienes se pidió firmar. Solo las ve quien hace sesiones de firma en esta notaría."
      />
      <div className={css.toolbar}>
        <SearchForm label="Buscar partes" help="Nombre o RFC" text={text} />
      </div>
      {rows.length > 0 ? (
        <Table caption="Partes" columns={COLUMNS}>
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell isTitle>
                <PageLink to={`${PATH}/${row.id}`}>{row.name}</PageLink>
              </Cell>
              <Cell label="RFC" isWhole>
                {row.rfc}
              </Cell>
              <Cell label="Último carácter">{row.character}</Cell>
              <Cell label="Correo electrónico" isLong>
                {row.email ? <Email address={row.email} /> : 'Sin correo'}
              </Cell>
              <Cell label="Último uso o cambio" isNumber isWhole>
                <Time at={row.at}>{row.when}</Time>
              </Cell>
            </Row>
          ))}
        </Table>
      ) : (
        <EmptyState next={text && <PageLink to={PATH}>Ver todo el catálogo</PageLink>}>
          {text
            ? 'Ninguna parte coincide con la búsqueda.'
            : 'El catálogo está vacío. Cada persona externa entra en él cuando se agrega a una sesión de firma.'}
        </EmptyState>
      )}
      <Paging
        of="partes"
        newer={isLaterPage ? address(PATH, { text }) : undefined}
        older={next && address(PATH, { text, behind: next })}
      />
    </>
  )
}
