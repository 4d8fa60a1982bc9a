import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { ARRIVED, BEING_JUDGED } from '#server/words/judgements.ts'
import type { ReviewView } from './review-view.ts'

const COLUMNS = [
  { name: 'N.º', isNumber: true },
  { name: 'Documento' },
  { name: 'Tipo' },
  { name: 'Folio' },
  { name: 'Páginas', isNumber: true },
  { name: 'Cómo llegó' },
  { name: 'Hoja de firmas' },
]

/** What will be signed, in the order in which it is signed. */
export function ReviewDocuments({ view }: { view: ReviewView }) {
  const { documents, sheet } = view
  const review = `/dashboard/signing/${view.id}/review`
  const title =
    documents.length === 1 ? 'Se firma un documento' : `Se firman ${documents.length} documentos`
  return (
    <Sheet title={title}>
      <Table caption="Documentos de la sesión" columns={COLUMNS}>
        {documents.map((row, index) => (
          <Row key={row.id}>
            <Cell isNumber label="N.º">
              {index + 1}
            </Cell>
            <Cell isTitle>
              <PageLink to={`/dashboard/documents/${row.id}`}>{row.title}</PageLink>
            </Cell>
            <Cell label="Tipo">{row.kindName}</Cell>
            <Cell isWhole label="Folio">
              {row.folio}
            </Cell>
            <Cell isNumber label="Páginas">
              {row.pages}
            </Cell>
            <Cell label="Cómo llegó">
              {row.verdict ? ARRIVED[row.verdict].title : BEING_JUDGED}
            </Cell>
            <Cell label="Hoja de firmas">
              {!row.hasSheet && (
                <>
                  No lleva: ya trae firmas.{' '}
                  <PageLink
                    to={`/dashboard/documents/${row.id}/stamp?returnUrl=${encodeURIComponent(review)}`}
                  >
                    Lugar de la firma
                  </PageLink>
                </>
              )}
              {row.hasSheet && row.id === sheet?.documentId && 'Es la de abajo'}
              {row.hasSheet && row.id !== sheet?.documentId && (
                <PageLink
                  to={`/dashboard/signing/${view.id}/review?document=${row.id}`}
                  preventScrollReset
                >
                  Ver su hoja
                </PageLink>
              )}
            </Cell>
          </Row>
        ))}
      </Table>
    </Sheet>
  )
}
