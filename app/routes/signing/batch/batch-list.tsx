import { useKeptForm } from '#app/ui/forms/kept-values.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import { NOT_IN_PROTOCOL } from '#server/words/acts.ts'
import css from './batch.module.css'
import type { BatchPageView } from './batch-view.ts'

/**
 * Id of the form without scripts that submits the selection; pages that sign with scripts have no such
 * form.
 */
export const FORM_WITHOUT_SCRIPTS = 'batch-without-scripts'

const SEEN = { unread: 'Sin leer', begun: 'Sin terminar de leer', read: null } as const

type Row = BatchPageView['documents'][number]
type Props = {
  view: BatchPageView
  /** Limit of documents per submission without scripts. */
  most: number
}

/** The documents that can be signed now, with a checkbox each. */
export function BatchList({ view, most }: Props) {
  const { documents, isOneSession } = view
  const kept = useKeptDocuments(view.withoutScripts)
  return (
    <Sheet title={documents.length === 1 ? 'Un documento' : `${documents.length} documentos`}>
      <ul className={css.rows}>
        {documents.map((row, index) => (
          <BatchRow
            key={row.id}
            row={row}
            isSent={index < most}
            isChosen={index >= most || (kept?.has(row.id) ?? true)}
            hasSession={!isOneSession}
          />
        ))}
      </ul>
    </Sheet>
  )
}

type RowProps = { row: Row; isSent: boolean; isChosen: boolean; hasSession: boolean }

/**
 * The documents that were chosen in the form that came after its session was over, which this page shows again; null for
 * any other page. A document that was signed by another person meanwhile is still chosen.
 */
function useKeptDocuments(address: string): ReadonlySet<string> | null {
  const kept = useKeptForm()
  if (kept?.path !== address.replace(/[?#].*/s, '')) return null
  const sent = kept.fields.filter(([name]) => name === 'document')
  return new Set(sent.map(([, value]) => value.split(':')[0] ?? ''))
}

function BatchRow({ row, isSent, isChosen, hasSession }: RowProps) {
  const { id, page, address, title, folio, version, pages, sha256 } = row
  const { sessionTitle, character, leavesProtocol, seen } = row
  const sent = isSent && { form: FORM_WITHOUT_SCRIPTS, name: 'document', value: `${id}:${version}` }
  return (
    <li
      className={css.row}
      data-batch-document={id}
      data-address={address}
      data-version={version}
      data-sha256={sha256}
      data-title={title}
    >
      <input
        type="checkbox"
        id={`document-${id}`}
        data-part="chosen"
        defaultChecked={isChosen}
        autoComplete="off"
        {...sent}
      />
      <div>
        <label htmlFor={`document-${id}`}>{title}</label>
        <p className={css.facts}>
          Folio {folio} · {pages} · versión&nbsp;{version}
          {hasSession && sessionTitle !== title && ` · ${sessionTitle}`}
          {character && ` · ${character}`}
        </p>
        {leavesProtocol && <p>{NOT_IN_PROTOCOL}.</p>}
        <details className={css.facts}>
          <summary>Huella digital (SHA-256)</summary>
          {/* In 250 rows, groups of four would be three quarters of the elements of the page. */}
          <Hash value={sha256} size={16} />
        </details>
      </div>
      <div className={css.end}>
        <span data-part="state" className={css.state} />
        {SEEN[seen] && <span className={css.unread}>{SEEN[seen]}</span>}
        <a href={page} target="_blank" rel="noopener" aria-label={`Leer ${title}`}>
          Leer
        </a>
      </div>
    </li>
  )
}
