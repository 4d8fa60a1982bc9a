import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { peopleChoices } from '#app/http/shown-person.ts'
import { withOwnFirst } from '#app/ui/document/document-filters.ts'
import { DocumentTable } from '#app/ui/document/document-table.tsx'
import {
  SearchCutShort,
  SearchInPreparation,
  SimilarResults,
} from '#app/ui/document/search-remarks.tsx'
import { Selection, type SelectionAction } from '#app/ui/document/selection.tsx'
import { USUAL_COLUMNS } from '#app/ui/document/usual-columns.ts'
import { ActiveFilters } from '#app/ui/lists/active-filters.tsx'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { FoldedFields } from '#app/ui/lists/folded-fields.tsx'
import css from '#app/ui/lists/list-toolbar.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { SearchForm } from '#app/ui/lists/search-form.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { countText } from '#app/ui/text/count-text.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { DocumentState } from '#server/domain/documents/document.ts'
import { DocumentOrder } from '#server/domain/documents/document-list.ts'
import type { DocumentView } from '#server/domain/documents/document-view.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import {
  countDocuments,
  type DocumentCounts,
} from '#server/features/documents/list/count-documents.ts'
import { listDocumentViews } from '#server/features/documents/list/document-views.ts'
import { listAwaited } from '#server/features/documents/list/list-awaited.ts'
import { ListDocuments, listDocuments } from '#server/features/documents/list/list-documents.ts'
import { listUploaders } from '#server/features/documents/list/list-uploaders.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { listMyTurns } from '#server/features/signatures/list-my-turns.ts'
import { documentStatesOfMany } from '#server/words/documents.ts'
import type { Route } from './+types/list'
import { activeFilters } from './filters/active-filters.ts'
import { askedIn } from './filters/asked-in.ts'
import { ColumnForm } from './filters/column-form.tsx'
import { type Asked, listAddress, viewsAddress } from './filters/list-address.ts'
import { ListFields } from './filters/list-fields.tsx'
import { listRow } from './filters/list-rows.ts'
import { noDocumentsText } from './filters/no-documents-text.ts'

/** An invalid one is ignored. */
const Behind = ListDocuments.shape.behind.catch(undefined)

export const handle = { hydrate: true, label: 'Documentos' }

export const meta: Route.MetaFunction = () => [{ title: 'Documentos · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const asked = askedIn(url.searchParams)
  const behind = Behind.parse(url.searchParams.get('behind') ?? undefined)
  const { columns = USUAL_COLUMNS } = asked
  const { roles, userId } = mustBeSignedIn(actor)
  const office = await orErrorPage(readOffice(system, actor))
  const page = await orErrorPage(listDocuments(system, actor, { ...asked, behind }))
  const figures = await orErrorPage(countDocuments(system, actor))
  const users = await orErrorPage(listUploaders(system, actor))
  const uploaders = peopleChoices(users)
  const views = await orErrorPage(listDocumentViews(system, actor))
  const documentIds = page.documents.map(({ id }) => id)
  const awaited = columns.includes('awaited')
    ? await orErrorPage(listAwaited(system, actor, { documentIds }))
    : new Map()
  const names = new Map(uploaders.map(({ value, label }) => [value, label]))
  const known = { office, users: names, awaited }
  return {
    rows: page.documents.map((document) => listRow(document, columns, known)),
    next: page.next,
    figures,
    sorting: sortingOf(asked),
    ...{ areSimilar: page.areSimilar, wasCutShort: page.wasCutShort },
    isIncomplete: page.isIncomplete,
    asked,
    views: viewChips(views, asked),
    active: activeFilters(asked, office, uploaders, userId),
    people: withOwnFirst(uploaders, userId),
    isLaterPage: behind !== undefined,
    canUpload: isAllowed(roles, 'document.upload'),
    actions: actionsFor(roles, await mayChooseToSign()),
  }

  /** Others sign only what a session asks of them. */
  async function mayChooseToSign(): Promise<boolean> {
    if (isAllowed(roles, 'document.sign')) return true
    const one = { turn: 'now', limit: 0, most: 1 } as const
    const { count } = await orErrorPage(listMyTurns(system, actor, one))
    return count > 0
  }
}

export default function DocumentList({ loaderData }: Route.ComponentProps) {
  const { rows, next, asked, active, views, people, isLaterPage, ...page } = loaderData
  const { canUpload, actions } = page
  const upload = canUpload && (
    <ButtonLink to="/dashboard/documents/new" leftSection={<Icon name="upload" />}>
      Subir documento
    </ButtonLink>
  )
  const isAskedFor = listAddress(asked) !== listAddress({})
  const older = next && listAddress({ ...asked, behind: next })
  return (
    <>
      <PageHead
        title="Documentos"
        lead={<PageLink to="/dashboard/documents/numbers">Números de instrumentos</PageLink>}
        action={upload}
      />
      <div className={css.toolbar}>
        <SearchForm
          label="Buscar documentos"
          help="Folio, título, instrumento, libro, fecha, acto, persona, RFC o código de verificación"
          text={asked.text}
          kept={{
            state: asked.state,
            signingSession: asked.signingSession,
            columns: asked.columns,
          }}
          isLive
        >
          <FoldedFields label="Filtros">
            {/* The page stays mounted: a removed filter empties its field. */}
            <ListFields key={listAddress({ ...asked, text: '' })} asked={asked} people={people} />
          </FoldedFields>
        </SearchForm>
        {views.length > 0 && <Chips label="Vistas guardadas" chips={views} />}
        <Chips label="Estado" chips={stateChips(asked, page.figures)} />
        <ActiveFilters filters={active} />
        <div className={css.tools}>
          <ColumnForm key={listAddress(asked)} asked={asked} />
          {isAskedFor && <PageLink to={viewsAddress(asked)}>Guardar esta vista</PageLink>}
          {views.length > 0 && <PageLink to={viewsAddress({})}>Administrar vistas</PageLink>}
        </div>
      </div>
      {page.isIncomplete && <SearchInPreparation />}
      {page.areSimilar && rows.length > 0 && <SimilarResults />}
      {rows.length > 0 ? (
        <Selection key={rows[0]?.id} actions={actions}>
          <DocumentTable
            caption="Documentos"
            rows={rows}
            {...(asked.columns && { columns: asked.columns })}
            sorting={page.sorting}
            isChoosable
          />
        </Selection>
      ) : (
        <EmptyState
          next={
            isAskedFor ? <PageLink to={listAddress({})}>Ver todos los documentos</PageLink> : upload
          }
        >
          {noDocumentsText(asked, { wasCutShort: page.wasCutShort, canUpload })}
        </EmptyState>
      )}
      {page.wasCutShort && <SearchCutShort of="documentos" goOn="los anteriores" to={older} />}
      <Paging of="documentos" newer={isLaterPage ? listAddress(asked) : undefined} older={older} />
    </>
  )
}

/** The views of the reader; the one that is shown is marked. */
const viewChips = (views: readonly DocumentView[], asked: Asked) =>
  views.map(({ name, query }) => {
    const to = listAddress(askedIn(new URLSearchParams(query)))
    return { to, name, isActive: to === listAddress(asked) }
  })

/** A search has its own order. */
function sortingOf(asked: Asked) {
  if (asked.text !== '') return undefined
  const addresses = Object.fromEntries(
    DocumentOrder.options.map((order) => [
      order,
      listAddress({ ...asked, order: order === 'newest' ? undefined : order }),
    ]),
  ) as Record<DocumentOrder, string>
  return { order: asked.order ?? 'newest', addresses }
}

const CANCEL = {
  label: 'Cancelar borradores',
  to: '/dashboard/documents/cancel',
  isEnding: true,
} satisfies SelectionAction

/** What the reader can do with chosen documents. */
function actionsFor(roles: readonly Role[], canSign: boolean): SelectionAction[] {
  const canManage = isAllowed(roles, 'signing-sessions.manage')
  const canCancel = isAllowed(roles, 'document.withdraw-own')
  return [
    ...(canSign ? [{ label: 'Firmar', to: '/dashboard/signing/batch' }] : []),
    ...(canManage ? [{ label: 'Crear sesión', to: '/dashboard/signing/new' }] : []),
    { label: 'Descargar ZIP', to: '/dashboard/documents/chosen.zip' },
    ...(canCancel ? [CANCEL] : []),
  ]
}

/** The states; each link keeps search and filters. The numbers are those of the whole office: a filtered list has none. */
function stateChips(asked: Asked, { counts, mostCounted }: DocumentCounts) {
  const unfiltered = { state: undefined, order: undefined, columns: undefined }
  const isWhole = listAddress({ ...asked, ...unfiltered }) === listAddress({})
  const states = Object.entries(documentStatesOfMany).map(([key, name]) => ({
    to: listAddress({ ...asked, state: key as DocumentState }),
    name,
    ...(isWhole && { count: countText(counts[key as DocumentState] ?? 0, mostCounted) }),
    isActive: asked.state === key,
  }))
  const all = { to: listAddress({ ...asked, state: undefined }), name: 'Todos' }
  return [{ ...all, isActive: !asked.state }, ...states]
}
