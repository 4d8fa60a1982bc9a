import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import type { DocumentKind, DocumentState } from '#server/domain/documents/document.ts'
import type { DocumentColumn, DocumentOrder } from '#server/domain/documents/document-list.ts'
import { documentColumns } from '#server/words/document-list.ts'
import { documentKinds } from '#server/words/documents.ts'
import { DocumentBadge } from './document-badge.tsx'
import { ChooseAll, ChooseBox } from './selection.tsx'
import { SignLink } from './sign-link.tsx'
import { SortLink } from './sort-link.tsx'
import { USUAL_COLUMNS } from './usual-columns.ts'

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
  /** What is shown in further columns, empty if there is nothing; only of the columns of the list. */
  facts?: Partial<Record<FactColumn, string>>
}

export type FactColumn = Exclude<DocumentColumn, 'state' | 'folio' | 'kind' | 'created'>

/** The order of the list, and the address of the same list in another one. */
export type Sorting = { order: DocumentOrder; addresses: Record<DocumentOrder, string> }

type Props = {
  caption: string
  rows: readonly DocumentRow[]
  columns?: readonly DocumentColumn[]
  /** Absent if the list has one order only. */
  sorting?: Sorting | undefined
  /** Whether each row has a link to the signing page. */
  canSign?: boolean
  /** Whether documents can be chosen: the table is part of a `Selection`. */
  isChoosable?: boolean
}

const CHOOSE = { name: 'Elegir', head: <ChooseAll /> }

/** Documents, one per row: state first, title as the link. */
export function DocumentTable({
  caption,
  rows,
  columns = USUAL_COLUMNS,
  sorting,
  canSign = false,
  isChoosable = false,
}: Props) {
  const [isStateShown, others] = [
    columns.includes('state'),
    columns.filter((column) => column !== 'state'),
  ]
  const heads = [
    ...(isChoosable ? [CHOOSE] : []),
    ...(isStateShown ? [{ name: documentColumns.state }] : []),
    headOf('title', sorting),
    ...others.map((column) => headOf(column, sorting)),
    ...(canSign ? [{ name: 'Acción', isNumber: true }] : []),
  ]
  return (
    <Table caption={caption} columns={heads}>
      {rows.map((row) => (
        <Row key={row.id} isChoosable={isChoosable}>
          {isChoosable && (
            <Cell>
              <ChooseBox id={row.id} title={row.title} />
            </Cell>
          )}
          {isStateShown && (
            <Cell isWhole>
              <DocumentBadge state={row.state} />
            </Cell>
          )}
          <Cell isTitle>
            <PageLink to={`/dashboard/documents/${row.id}`}>{row.title}</PageLink>
          </Cell>
          {others.map((column) => (
            <ColumnCell key={column} column={column} row={row} />
          ))}
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

/** The orders of a column, the first one first; its link asks for the other one where it has two. */
const ORDERS: Partial<Record<DocumentColumn | 'title', readonly DocumentOrder[]>> = {
  title: ['title'],
  changed: ['changed'],
  created: ['newest', 'oldest'],
}

function headOf(column: DocumentColumn | 'title', sorting: Sorting | undefined) {
  const name = column === 'title' ? 'Documento' : documentColumns[column]
  const isNumber = column === 'created' || column === 'changed'
  const orders = ORDERS[column]
  if (!orders || !sorting) return { name, isNumber }
  const { order, addresses } = sorting
  const isSorted = orders.includes(order)
  const isAscending = order === 'oldest' || order === 'title'
  const to = addresses[orders.find((one) => one !== order) ?? order]
  return {
    ...{ name, isNumber },
    sort: isSorted ? (isAscending ? ('ascending' as const) : ('descending' as const)) : undefined,
    head: (
      <SortLink to={to} arrow={isSorted ? (isAscending ? 'up' : 'down') : undefined}>
        {name}
      </SortLink>
    ),
  }
}

function ColumnCell({
  column,
  row,
}: {
  column: Exclude<DocumentColumn, 'state'>
  row: DocumentRow
}) {
  if (column === 'folio') return <Cell isWhole>{row.folio}</Cell>
  if (column === 'kind') return <Cell>{documentKinds[row.kind]}</Cell>
  if (column === 'created')
    return (
      <Cell isNumber isWhole>
        <Time at={row.createdAt}>{row.created}</Time>
      </Cell>
    )
  const fact = row.facts?.[column]
  return (
    <Cell {...(fact && { label: documentColumns[column] })} isNumber={column === 'changed'}>
      {fact}
    </Cell>
  )
}
