import { z } from 'zod'
import { orErrorPage } from '#app/http/problems.ts'
import { documentRequest } from '#app/routes/documents/document-request.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { ListCopies, listCopies } from '#server/features/copies/list-copies.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/list'
import { type CopyView, copyView } from './copy-view.ts'
import css from './list.module.css'

/** The query parameters; invalid ones are ignored. */
const Query = z.object({ behind: ListCopies.shape.behind.catch(undefined) })

export const handle = { hydrate: true, label: 'Copias expedidas' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Copias expedidas de ${loaderData?.folio ?? 'un documento'} · Rúbrica` },
]

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const { behind } = Query.parse(Object.fromEntries(url.searchParams))
  const page = await orErrorPage(listCopies(system, actor, { documentId, behind }))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const { roles } = mustBeSignedIn(actor)
  return {
    path: `/dashboard/documents/${documentId}`,
    title: page.document.title,
    folio: page.document.folio,
    copies: page.copies.map((copy) => copyView(copy, timeZone)),
    next: page.next,
    isLaterPage: behind !== undefined,
    canRecord: page.isComplete && isAllowed(roles, 'document.record-copy'),
  }
}

const COLUMNS = [
  { name: 'Copia' },
  { name: 'Para' },
  { name: 'Soporte' },
  { name: 'Expedida' },
  { name: 'Registro' },
  { name: 'Acciones' },
]

export default function CopyList({ loaderData }: Route.ComponentProps) {
  const { path, title, folio, copies, next, isLaterPage, canRecord } = loaderData
  return (
    <>
      <PageHead
        title="Copias expedidas"
        lead={
          <>
            Folio {folio} · <PageLink to={path}>Volver a {title}</PageLink>
          </>
        }
        action={canRecord && <ButtonLink to={`${path}/copies/new`}>Registrar una copia</ButtonLink>}
      />
      {copies.length > 0 ? (
        <Table caption="Copias expedidas" columns={COLUMNS}>
          {copies.map((copy) => (
            <CopyRow key={copy.id} copy={copy} path={path} />
          ))}
        </Table>
      ) : (
        <EmptyState>No se ha registrado ninguna copia de este documento.</EmptyState>
      )}
      <Paging
        of="copias"
        newer={isLaterPage ? `${path}/copies` : undefined}
        older={next && address(`${path}/copies`, { behind: next })}
      />
    </>
  )
}

function CopyRow({ copy, path }: { copy: CopyView; path: string }) {
  const { id, name, extent, recipient, medium, note, recorded, cancelled } = copy
  return (
    <Row>
      <Cell isTitle>
        <span className={css.lines}>
          <span className={css.name}>
            <strong>{name}</strong> {cancelled && <Badge tone="bad">Registro cancelado</Badge>}
          </span>
          <small>{extent}</small>
          {cancelled && (
            <small>
              {cancelled.text} · <Time at={cancelled.when.at}>{cancelled.when.text}</Time>
            </small>
          )}
        </span>
      </Cell>
      <Cell label="Para">
        <span className={css.lines}>
          {recipient.name}
          {recipient.about && <small>{recipient.about}</small>}
        </span>
      </Cell>
      <Cell label="Soporte">
        <span className={css.lines}>
          {medium}
          <small>De la versión {copy.version}</small>
          {note && <small className={css.note}>{note}</small>}
        </span>
      </Cell>
      <Cell label="Expedida" isWhole>
        {copy.issuedOn}
      </Cell>
      <Cell label="Registro">
        <span className={css.lines}>
          {recorded.by}
          <small>
            <Time at={recorded.when.at}>{recorded.when.text}</Time>
          </small>
        </span>
      </Cell>
      <Cell {...(copy.mayCancel && { label: 'Acciones' })}>
        {copy.mayCancel && (
          <PageLink to={`${path}/copies/${id}/cancel`} data-ending>
            Cancelar<span className="visually-hidden"> el registro: {name}</span>
          </PageLink>
        )}
      </Cell>
    </Row>
  )
}
