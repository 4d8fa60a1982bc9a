import '@mantine/core/styles/Table.css'
import { Table as MantineTable } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './table.module.css'

type Column = {
  name: string
  /** Right-aligned, to compare numbers. */
  isNumber?: boolean
  /** In place of the name. */
  head?: ReactNode
  /** How the rows are sorted by this column; absent if they are not. */
  sort?: 'ascending' | 'descending' | undefined
}

type Props = {
  /** For screen readers. */
  caption: string
  columns: readonly Column[]
  /** `Row`s. */
  children: ReactNode
}

/** A dense table. On narrow screens each row becomes a card. */
export function Table({ caption, columns, children }: Props) {
  return (
    <div className={css.frame}>
      <MantineTable
        className={css.table}
        highlightOnHover
        verticalSpacing={6}
        horizontalSpacing="sm"
      >
        <caption className="visually-hidden">{caption}</caption>
        <MantineTable.Thead>
          <MantineTable.Tr>
            {columns.map(({ name, isNumber, head, sort }) => (
              <MantineTable.Th
                key={name}
                scope="col"
                data-number={isNumber || undefined}
                aria-sort={sort}
              >
                {head ?? name}
              </MantineTable.Th>
            ))}
          </MantineTable.Tr>
        </MantineTable.Thead>
        <MantineTable.Tbody>{children}</MantineTable.Tbody>
      </MantineTable>
    </div>
  )
}

/*
 * Rows and cells use Mantine's classes without its components, which took 65 ms of CPU for a page of 50
 * events on a fast machine.
 */
const { tr, td } = MantineTable.classes

type RowProps = {
  /** Whether its first cell is a box to choose it. */
  isChoosable?: boolean
  /** `Cell`s. */
  children: ReactNode
}

/** One row. */
export function Row({ isChoosable, children }: RowProps) {
  return (
    <tr className={tr} data-with-row-border data-hover data-choosable={isChoosable || undefined}>
      {children}
    </tr>
  )
}

type CellProps = {
  /** The row's title: the first line of the card. */
  isTitle?: boolean
  /** The column's name, shown where the table has no header. */
  label?: string
  isNumber?: boolean
  /** Never wrapped: folios, dates. */
  isWhole?: boolean
  /** One long word, as an e-mail address: wrapped anywhere. */
  isLong?: boolean
  children: ReactNode
}

export function Cell({ isTitle, label, isNumber, isWhole, isLong, children }: CellProps) {
  return (
    <td
      className={td}
      data-title={isTitle || undefined}
      data-label={label}
      data-number={isNumber || undefined}
      data-whole={isWhole || undefined}
      data-long={isLong || undefined}
    >
      {children}
    </td>
  )
}
