import { Notice } from '#app/ui/feedback/notice.tsx'
import { CheckboxField } from '#app/ui/forms/checkbox-field.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { KnownDocument } from './upload-answer.ts'

/** Which files the office has already, and whether they shall be stored again. */
export function KnownFiles({ known }: { known: readonly KnownDocument[] }) {
  return (
    <>
      <Notice tone="wait">
        {known.map(({ id, folio, title }) => (
          <p key={id}>
            Este archivo ya está: <PageLink to={`/dashboard/documents/${id}`}>{title}</PageLink>,
            folio {folio}. No se guardó otra vez.
          </p>
        ))}
      </Notice>
      <CheckboxField
        name="again"
        label={known.length === 1 ? 'Subirlo de todos modos' : 'Subirlos de todos modos'}
        help="Márquelo solo si debe haber dos documentos con el mismo archivo."
      />
    </>
  )
}
