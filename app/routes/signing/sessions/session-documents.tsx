import { DocumentBadge } from '#app/ui/document/document-badge.tsx'
import { DocumentFilterFields } from '#app/ui/document/document-filter-fields.tsx'
import type { Uploaders } from '#app/ui/document/document-filters.ts'
import {
  SearchCutShort,
  SearchInPreparation,
  SimilarResults,
} from '#app/ui/document/search-remarks.tsx'
import { CheckRow } from '#app/ui/forms/check-row.tsx'
import { useIsKeptForm } from '#app/ui/forms/kept-values.ts'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { Paging } from '#app/ui/lists/paging.tsx'
import { SearchForm } from '#app/ui/lists/search-form.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { DraftOffer } from './draft-offer.ts'
import { noDraftsText } from './draft-search.ts'
import css from './session.module.css'
import { SessionActionForm } from './session-action-form.tsx'
import { faultOf, type SessionFault } from './session-fault.ts'
import type { SessionView } from './session-view.ts'

type Props = {
  view: SessionView
  /** Drafts that can be added. */
  drafts: DraftOffer
  people: Uploaders
  fault: SessionFault | undefined
}

/** The documents of the session, with their number of signatures. */
export function SessionDocuments({ view, drafts, people, fault }: Props) {
  const isDraft = view.state === 'draft' && view.canManage
  const columns = [
    { name: 'Estado' },
    { name: 'Documento' },
    { name: 'Folio' },
    { name: 'Páginas', isNumber: true },
    { name: 'Firmas', isNumber: true },
    ...(isDraft ? [{ name: 'Acción', isNumber: true }] : []),
  ]
  const last = view.documents.length - 1
  return (
    <Sheet
      title={view.documents.length === 1 ? 'Documento' : `Documentos (${view.documents.length})`}
    >
      <Table caption="Documentos de la sesión" columns={columns}>
        {view.documents.map((row, index) => (
          <Row key={row.id}>
            <Cell isWhole>
              <DocumentBadge state={row.state} />
            </Cell>
            <Cell isTitle>
              <PageLink to={`/dashboard/documents/${row.id}`}>{row.title}</PageLink>
            </Cell>
            <Cell isWhole>{row.folio}</Cell>
            <Cell isNumber label="Páginas">
              {row.pages}
            </Cell>
            <Cell isNumber isWhole label="Firmas">
              {`${row.made} de ${row.wanted}`}
            </Cell>
            {isDraft && (
              <Cell isNumber>
                {view.documents.length > 1 && (
                  <DocumentMoves
                    id={view.id}
                    row={row}
                    isFirst={index === 0}
                    isLast={index === last}
                  />
                )}
              </Cell>
            )}
          </Row>
        ))}
      </Table>
      {view.documents.length > 1 && (
        <p className={css.more}>
          <PageLink to={`/dashboard/documents?signingSession=${view.id}`}>
            Ver en Documentos
          </PageLink>
        </p>
      )}
      {isDraft && (
        <Drafts
          view={view}
          drafts={drafts}
          people={people}
          fault={faultOf(fault, 'add-document')}
        />
      )}
    </Sheet>
  )
}

/** A search for drafts, and those that were found. */
function Drafts({ view, drafts, people, fault }: Props) {
  const path = `/dashboard/signing/${view.id}`
  const isKept = useIsKeptForm(path, { intent: 'add-document' })
  const { text, filters, found, first, next, isAsked } = drafts
  const search = JSON.stringify([text, filters])
  return (
    <details
      // The page stays mounted: a search opens it.
      key={`${search} ${isAsked}`}
      className={folds.fold}
      open={isAsked || isKept || fault !== undefined}
    >
      <summary>Agregar borradores</summary>
      <div className={css.offer}>
        <SearchForm
          key={search}
          action={path}
          id="draft-text"
          name="draft"
          label="Buscar por título, número, fecha, persona o folio"
          text={text}
        >
          <DocumentFilterFields filters={filters} people={people} />
        </SearchForm>
        {drafts.isIncomplete && <SearchInPreparation />}
        <SessionActionForm id={view.id} intent="add-document" className={folds.form}>
          {fault?.errors.documentId?.[0] && (
            <p className={folds.fault} role="alert">
              {fault.errors.documentId[0]}
            </p>
          )}
          {found.length === 0 && <p className={css.quiet}>{noDraftsText(drafts)}</p>}
          {drafts.areSimilar && found.length > 0 && <SimilarResults />}
          {found.map((row) => (
            <CheckRow
              key={row.id}
              id={`draft-${row.id}`}
              name="documentId"
              value={row.id}
              label={row.title}
              help={`Folio ${row.folio} · ${row.created}`}
              isChecked={false}
            />
          ))}
          {found.length > 0 && <SubmitButton variant="default">Agregar los marcados</SubmitButton>}
        </SessionActionForm>
        {drafts.wasCutShort && <SearchCutShort of="borradores" goOn="los anteriores" to={next} />}
        <Paging of="borradores" newer={first} older={next} />
      </div>
    </details>
  )
}

type Moves = {
  id: string
  row: { id: string; title: string }
  isFirst: boolean
  isLast: boolean
}

/** They are signed, listed and shown in this order. */
function DocumentMoves({ id, row, isFirst, isLast }: Moves) {
  return (
    <div className={css.moves}>
      <SessionActionForm id={id} intent="move-document" className={css.moves}>
        <input type="hidden" name="documentId" value={row.id} />
        {!isFirst && (
          <SubmitButton variant="default" size="xs" name="direction" value="up">
            Subir<span className="visually-hidden"> {row.title}</span>
          </SubmitButton>
        )}
        {!isLast && (
          <SubmitButton variant="default" size="xs" name="direction" value="down">
            Bajar<span className="visually-hidden"> {row.title}</span>
          </SubmitButton>
        )}
      </SessionActionForm>
      <SessionActionForm id={id} intent="remove-document">
        <input type="hidden" name="documentId" value={row.id} />
        <SubmitButton variant="default" size="xs">
          Quitar<span className="visually-hidden"> {row.title}</span>
        </SubmitButton>
      </SessionActionForm>
    </div>
  )
}
