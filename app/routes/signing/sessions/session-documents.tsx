import { DocumentBadge } from '#app/ui/document/document-badge.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './session.module.css'
import { SessionActionForm } from './session-action-form.tsx'
import { faultOf, type SessionFault } from './session-fault.ts'
import type { SessionView } from './session-view.ts'

type Props = {
  view: SessionView
  /** Drafts that can be added. */
  drafts: readonly { id: string; title: string; folio: string }[]
  fault: SessionFault | undefined
}

/** The documents of the session, with their number of signatures. */
export function SessionDocuments({ view, drafts, fault }: Props) {
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
  const options = drafts.map(({ id, title, folio }) => ({
    value: id,
    label: `${title} (${folio})`,
  }))
  return (
    <Sheet
      title={view.documents.length === 1 ? 'Documento' : `Documentos (${view.documents.length})`}
    >
      <Table caption="Documentos de la sesión" columns={columns}>
        {view.documents.map((row, index) => (
          <Row key={row.id}>
            <Cell>
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
      {isDraft && options.length > 0 && (
        <SessionActionForm id={view.id} intent="add-document" className={css.row}>
          <SelectField
            name="documentId"
            label="Agregar un borrador"
            data={options}
            errors={faultOf(fault, 'add-document')?.errors.documentId}
          />
          <SubmitButton variant="default">Agregar documento</SubmitButton>
        </SessionActionForm>
      )}
    </Sheet>
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
