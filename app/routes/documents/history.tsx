import { z } from 'zod'
import { orErrorPage } from '#app/http/problems.ts'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { formatMinute, zoneName } from '#server/domain/time.ts'
import { ListHistory, listHistory } from '#server/features/documents/list-history.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { auditActions } from '#server/words/audit/audit-actions.ts'
import { plainSentence } from '#server/words/audit/audit-sentences.ts'
import type { Route } from './+types/history'
import { documentRequest } from './document-request.ts'

/** The query parameters; invalid ones are ignored. */
const Query = z.object({ before: ListHistory.shape.before.catch(undefined) })

export const handle = { hydrate: true, label: 'Historial' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Historial de ${loaderData?.folio ?? 'un documento'} · Rúbrica` },
]

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const { before } = Query.parse(Object.fromEntries(url.searchParams))
  const page = await orErrorPage(listHistory(system, actor, { documentId, before }))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  return {
    path: `/dashboard/documents/${documentId}`,
    title: page.document.title,
    folio: page.document.folio,
    events: page.events.map((event) => ({
      position: event.position,
      sentence: plainSentence(event),
      kind: auditActions[event.action],
      made: { at: event.at, text: formatMinute(event.at, timeZone) },
    })),
    next: page.next === undefined ? undefined : String(page.next),
    zone: zoneName(timeZone),
    isLaterPage: before !== undefined,
  }
}

const columnsIn = (zone: string) => [
  { name: 'Qué ocurrió' },
  { name: 'Evento' },
  { name: `Cuándo (${zone})`, isNumber: true },
]

export default function History({ loaderData }: Route.ComponentProps) {
  const { path, title, folio, events, next, zone, isLaterPage } = loaderData
  return (
    <>
      <PageHead
        title="Historial"
        lead={
          <>
            Folio {folio} · <PageLink to={path}>Volver a {title}</PageLink>
          </>
        }
      />
      {events.length > 0 ? (
        <Table caption="Historial del documento" columns={columnsIn(zone)}>
          {events.map(({ position, sentence, kind, made }) => (
            <Row key={position}>
              <Cell isTitle>{sentence}</Cell>
              <Cell label="Evento">{kind}</Cell>
              <Cell label={`Cuándo (${zone})`} isNumber isWhole>
                <Time at={made.at}>{made.text}</Time>
              </Cell>
            </Row>
          ))}
        </Table>
      ) : (
        <EmptyState>
          {next ? 'En esta parte solo hay consultas.' : 'No hay nada más en el historial.'}
        </EmptyState>
      )}
      <Paging
        of="historial"
        newer={isLaterPage ? `${path}/history` : undefined}
        older={next && address(`${path}/history`, { before: next })}
      />
    </>
  )
}
