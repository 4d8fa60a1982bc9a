import '@mantine/core/styles/Table.css'
import { Table as MantineTable } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './table.module.css'

type Column = {
  name: string
  /** Numbers stand at the right, so that they can be compared. */
  isNumber?: boolean
}

type Props = {
  /** For whoever hears the page. */
  caption: string
  columns: readonly Column[]
  /** `Row`s. */
  children: ReactNode
}

/** A dense list with one row a thing. On a narrow screen each row becomes a card of its own. */
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
            {columns.map(({ name, isNumber }) => (
              <MantineTable.Th key={name} scope="col" data-number={isNumber || undefined}>
                {name}
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
 * Rows and cells carry Mantine's classes without its components: those took 65 ms of the processor for a page
 * of 50 events, before any slow machine multiplies it.
 */
const { tr, td } = MantineTable.classes

/** One thing of the list; of `Cell`s. */
export function Row({ children }: { children: ReactNode }) {
  return (
    <tr className={tr} data-with-row-border data-hover>
      {children}
    </tr>
  )
}

type CellProps = {
  /** What the row is: the first line of the card. */
  isTitle?: boolean
  /** The column's name again, shown where the head of the table is not. */
  label?: string
  isNumber?: boolean
  /** Kept on one line: folios, days. */
  isWhole?: boolean
  children: ReactNode
}

export function Cell({ isTitle, label, isNumber, isWhole, children }: CellProps) {
  return (
    <td
      className={td}
      data-title={isTitle || undefined}
      data-label={label}
      data-number={isNumber || undefined}
      data-whole={isWhole || undefined}
    >
      {children}
    </td>
  )
}
