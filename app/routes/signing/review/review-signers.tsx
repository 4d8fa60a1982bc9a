import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { Email } from '#app/ui/text/email.tsx'
import type { ReviewView } from './review-view.ts'

const COLUMNS = [
  { name: 'Orden', isNumber: true },
  { name: 'Firmante' },
  { name: 'Firma como' },
  { name: 'RFC' },
  { name: 'Cómo se le avisa' },
]

/** Who signs, as what and in which order. */
export function ReviewSigners({ signers }: Pick<ReviewView, 'signers'>) {
  return (
    <Sheet title={signers.length === 1 ? 'Firma una persona' : `Firman ${signers.length} personas`}>
      <Table caption="Firmantes en el orden en que firman" columns={COLUMNS}>
        {signers.map((signer) => (
          <Row key={signer.id}>
            <Cell isNumber label="Orden">
              {signer.step}
            </Cell>
            <Cell isTitle>{signer.name}</Cell>
            <Cell label="Firma como">{signer.character}</Cell>
            <Cell isWhole label="RFC">
              {signer.rfc}
            </Cell>
            <Cell isLong label="Cómo se le avisa">
              {signer.email ? <Email address={signer.email} /> : signer.told}
            </Cell>
          </Row>
        ))}
      </Table>
    </Sheet>
  )
}
