import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import type { DocumentKind, DocumentState } from '#server/domain/documents/document.ts'
import { documentKinds } from '#server/words/documents.ts'
import { DocumentBadge } from './document-badge.tsx'
import { ChooseAll, ChooseBox } from './selection.tsx'
import { SignLink } from './sign-link.tsx'

/** A document of a list. */
export type DocumentRow = {
  id: string
  folio: string
  title: string
  state: DocumentState
  kind: DocumentKind
  createdAt: number
  /** `20 nov 2026`, in the office's time zone. */
  created: string
}

type Props = {
  caption: string
  rows: readonly DocumentRow[]
  /** Whether each row has a link to the signing page. */
  canSign?: boolean
  /** Whether documents can be chosen: the table is part of a `Selection`. */
  isChoosable?: boolean
}

const COLUMNS = [
  { name: 'Estado' },
  { name: 'Documento' },
  { name: 'Folio' },
  { name: 'Tipo' },
  { name: 'Subido', isNumber: true },
]

const CHOOSE = { name: 'Elegir', head: <ChooseAll /> }

/** Documents, one per row: state first, title as the link. */
export function DocumentTable({ caption, rows, canSign = false, isChoosable = false }: Props) {
  const columns = [
    ...(isChoosable ? [CHOOSE] : []),
    ...COLUMNS,
    ...(canSign ? [{ name: 'Acción', isNumber: true }] : []),
  ]
  return (
    <Table caption={caption} columns={columns}>
      {rows.map((row) => (
        <Row key={row.id}>
          {isChoosable && (
            <Cell>
              <ChooseBox id={row.id} title={row.title} />
            </Cell>
          )}
          <Cell>
            <DocumentBadge state={row.state} />
          </Cell>
          <Cell isTitle>
            <PageLink to={`/dashboard/documents/${row.id}`}>{row.title}</PageLink>
          </Cell>
          <Cell isWhole>{row.folio}</Cell>
          <Cell>{documentKinds[row.kind]}</Cell>
          <Cell isNumber isWhole>
            <Time at={row.createdAt}>{row.created}</Time>
          </Cell>
          {canSign && (
            <Cell isNumber>
              <SignLink document={row} />
            </Cell>
          )}
        </Row>
      ))}
    </Table>
  )
}
