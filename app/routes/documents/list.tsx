import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { documentRow } from '#app/http/document-row.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { DocumentTable } from '#app/ui/document/document-table.tsx'
import {
  SearchCutShort,
  SearchInPreparation,
  SimilarResults,
} from '#app/ui/document/search-remarks.tsx'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import css from '#app/ui/lists/list-toolbar.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { SearchForm } from '#app/ui/lists/search-form.tsx'
import { address } from '#app/ui/text/address.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { countText } from '#app/ui/text/count-text.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import type { DocumentState } from '#server/domain/documents/document.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { countDocuments } from '#server/features/documents/count-documents.ts'
import { ListDocuments, listDocuments } from '#server/features/documents/list-documents.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { documentStatesOfMany } from '#server/words/documents.ts'
import type { Route } from './+types/list'

const { text, state, behind } = ListDocuments.shape

/** The query parameters; invalid ones are ignored. */
const Query = z.object({
  text: text.catch(undefined),
  state: state.catch(undefined),
  behind: behind.catch(undefined),
})

export const handle = { hydrate: true, label: 'Documentos' }

export const meta: Route.MetaFunction = () => [{ title: 'Documentos · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const query = Query.parse(Object.fromEntries(url.searchParams))
  const office = await orErrorPage(readOffice(system, actor))
  const page = await orErrorPage(listDocuments(system, actor, query))
  const figures = await orErrorPage(countDocuments(system, actor))
  return {
    rows: page.documents.map((document) => documentRow(document, office.timeZone)),
    next: page.next,
    figures,
    ...{ areSimilar: page.areSimilar, wasCutShort: page.wasCutShort },
    isIncomplete: page.isIncomplete,
    text: query.text ?? '',
    state: query.state,
    isLaterPage: query.behind !== undefined,
    canUpload: isAllowed(mustBeSignedIn(actor).roles, 'document.upload'),
  }
}

function emptyText(isFiltered: boolean, canUpload: boolean): string {
  if (isFiltered) return 'Ningún documento coincide con la búsqueda.'
  return canUpload
    ? 'Todavía no hay documentos. Suba el primero en PDF.'
    : 'Todavía no hay documentos.'
}

export default function DocumentList({ loaderData }: Route.ComponentProps) {
  const { rows, next, figures, text, state, isLaterPage, canUpload, ...page } = loaderData
  const upload = canUpload && (
    <ButtonLink to="/dashboard/documents/new" leftSection={<Icon name="upload" />}>
      Subir documento
    </ButtonLink>
  )
  const states = Object.entries(documentStatesOfMany).map(([key, name]) => ({
    to: address('/dashboard/documents', { text, state: key }),
    name,
    count: countText(figures.counts[key as DocumentState] ?? 0, figures.mostCounted),
    isActive: state === key,
  }))
  const all = { to: address('/dashboard/documents', { text }), name: 'Todos', isActive: !state }
  return (
    <>
      <PageHead title="Documentos" action={upload} />
      <div className={css.toolbar}>
        <SearchForm
          label="Buscar documentos"
          help="Folio, título, instrumento, libro, fecha, acto, persona, RFC o código de verificación"
          text={text}
          kept={{ state }}
          isLive
        />
        <Chips label="Estado" chips={[all, ...states]} />
      </div>
      {page.isIncomplete && <SearchInPreparation />}
      {page.areSimilar && rows.length > 0 && <SimilarResults />}
      {rows.length > 0 ? (
        <DocumentTable caption="Documentos" rows={rows} />
      ) : (
        <EmptyState next={upload}>
          {page.wasCutShort
            ? 'Nada entre los documentos más recientes.'
            : emptyText(text !== '' || state !== undefined, canUpload)}
        </EmptyState>
      )}
      {page.wasCutShort && <SearchCutShort of="documentos" goOn="los anteriores" />}
      <Paging
        of="documentos"
        newer={isLaterPage ? address('/dashboard/documents', { text, state }) : undefined}
        older={next && address('/dashboard/documents', { text, state, behind: next })}
      />
    </>
  )
}
