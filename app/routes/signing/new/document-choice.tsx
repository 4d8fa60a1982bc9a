import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { useRef } from 'react'
import { noDraftsText } from '#app/routes/signing/sessions/draft-search.ts'
import { DocumentFilterFields } from '#app/ui/document/document-filter-fields.tsx'
import { isFiltered, type Uploaders } from '#app/ui/document/document-filters.ts'
import {
  SearchCutShort,
  SearchInPreparation,
  SimilarResults,
} from '#app/ui/document/search-remarks.tsx'
import { CheckRow } from '#app/ui/forms/check-row.tsx'
import { useKeptValues } from '#app/ui/forms/kept-values.ts'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { ChoiceView } from './choice-view.ts'
import { DragHandle } from './drag-handle.tsx'
import css from './new.module.css'
import { useOrder } from './use-order.ts'

type Props = { choice: ChoiceView; people: Uploaders; fault: string | undefined }

/**
 * The chosen documents in their order, and a search for more. A box that is marked anywhere is part of the choice with the
 * next button that is pressed, so the choice outlives each search.
 */
export function DocumentChoice({ choice, people, fault }: Props) {
  const { found, next, text } = choice
  const list = useRef<HTMLFieldSetElement>(null)
  const order = useOrder(choice.chosen, ({ id }) => id)
  const chosen = order.inOrder
  const kept = useKeptValues('document') ?? []
  const shown = new Set<string>([...chosen, ...found].map(({ id }) => id))
  const unseen = kept.filter((id) => !shown.has(id))
  return (
    <>
      <fieldset ref={list} className={`${folds.choices} ${css.chosenOnes}`}>
        <legend>
          {chosen.length === 0 ? 'Documentos elegidos' : `Documentos elegidos (${chosen.length})`}
        </legend>
        {fault && (
          <p className={folds.fault} role="alert">
            {fault}
          </p>
        )}
        {chosen.length === 0 && unseen.length === 0 && (
          <>
            <p className={css.none}>Todavía ninguno. Márquelos en la lista de abajo.</p>
            <p className={css.marked}>Los que marcó abajo.</p>
          </>
        )}
        {chosen.map((row, index) => (
          <div key={row.id} className={css.chosen} data-item={row.id}>
            <DragHandle
              id={row.id}
              name={row.title}
              ids={order.ids}
              setIds={order.setIds}
              list={list}
            />
            <CheckRow
              id={`document-${row.id}`}
              name="document"
              value={row.id}
              label={row.title}
              help={`${index + 1}.º · Folio ${row.folio} · ${row.created}`}
              isChecked
            />
            <span className={css.moves}>
              {index > 0 && <Move kind="up" row={row} label="Subir" />}
              {index < chosen.length - 1 && <Move kind="down" row={row} label="Bajar" />}
            </span>
          </div>
        ))}
        {unseen.map((id) => (
          <CheckRow
            key={id}
            id={`document-${id}`}
            name="document"
            value={id}
            label="Documento que ya había elegido"
            help="Su título aparece al buscar o al crear la sesión."
            isChecked
          />
        ))}
      </fieldset>
      <fieldset className={folds.choices}>
        <legend>Agregar borradores</legend>
        <DocumentFilterFields filters={choice.filters} people={people} />
        <div className={css.search}>
          <TextField
            name="text"
            label="Buscar por título, número, fecha, persona o folio"
            maxLength={200}
            defaultValue={text}
          />
          <SubmitButton variant="default" name="do" value="search">
            Buscar
          </SubmitButton>
        </div>
        <input type="hidden" name="behind" value={choice.behind} />
        <input type="hidden" name="after" value={next ?? ''} />
        {choice.isIncomplete && <SearchInPreparation />}
        {found.length === 0 && <p className={css.quiet}>{emptyText(choice)}</p>}
        {hasNone(choice) && (
          <p>
            <PageLink to="/dashboard/documents/new">Subir documento</PageLink>
          </p>
        )}
        {choice.areSimilar && found.length > 0 && <SimilarResults />}
        {found.map((row) => (
          <CheckRow
            key={row.id}
            id={`document-${row.id}`}
            name="document"
            value={row.id}
            label={row.title}
            help={`Folio ${row.folio} · ${row.created}`}
            isChecked={false}
          />
        ))}
        {choice.wasCutShort && <SearchCutShort of="borradores" goOn="los siguientes" />}
        <div className={css.moves}>
          {found.length > 1 && (
            <SubmitButton variant="default" name="do" value="add-page">
              {`Elegir los ${found.length} de esta lista`}
            </SubmitButton>
          )}
          {next && (
            <SubmitButton variant="default" name="do" value="next">
              Elegir los marcados y ver los siguientes
            </SubmitButton>
          )}
        </div>
      </fieldset>
    </>
  )
}

/** Whether the office has no draft at all. */
const hasNone = ({ text, filters, behind, chosen, found, wasCutShort }: ChoiceView): boolean =>
  [text, behind].every((one) => one === '') &&
  !isFiltered(filters) &&
  !wasCutShort &&
  chosen.length + found.length === 0

const emptyText = (choice: ChoiceView): string => {
  if (hasNone(choice)) return 'No hay borradores que firmar.'
  if (choice.next && !choice.wasCutShort) return 'Los de esta página ya están elegidos.'
  return noDraftsText(choice)
}

type MoveProps = { kind: 'up' | 'down'; row: { id: string; title: string }; label: string }

const Move = ({ kind, row, label }: MoveProps) => (
  <SubmitButton variant="default" size="xs" name="do" value={`${kind}:${row.id}`}>
    {label}
    <span className="visually-hidden"> {row.title}</span>
  </SubmitButton>
)
