import { Badge } from '#app/ui/feedback/badge.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './copies-sheet.module.css'
import type { CopyView } from './copy-view.ts'

type Props = {
  documentId: string
  /** The newest. */
  copies: readonly CopyView[]
  hasMore: boolean
  canRecord: boolean
}

/** The newest copies that were issued of a document, on its page. */
export function CopiesSheet({ documentId, copies, hasMore, canRecord }: Props) {
  const path = `/dashboard/documents/${documentId}/copies`
  const record = canRecord && <PageLink to={`${path}/new`}>Registrar una copia</PageLink>
  return (
    <Sheet title="Copias expedidas" aside={record}>
      {copies.length === 0 && (
        <p className={css.none}>No se ha registrado ninguna copia de este documento.</p>
      )}
      <ul className={css.copies}>
        {copies.map(({ id, name, recipient, medium, issuedOn, cancelled }) => (
          <li key={id}>
            <span className={css.name}>
              <strong>{name}</strong>
              {cancelled && <Badge tone="bad">Registro cancelado</Badge>}
            </span>
            <span>
              Para {recipient.name} · {issuedOn} · {medium}
            </span>
          </li>
        ))}
      </ul>
      {copies.length > 0 && (
        <PageLink to={path}>
          {hasMore ? 'Ver todas las copias' : 'Ver el detalle de las copias'}
        </PageLink>
      )}
    </Sheet>
  )
}
