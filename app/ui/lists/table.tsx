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
  /** A table on narrow screens, too: it has few short columns. */
  isCompact?: boolean | undefined
  /** `Row`s. */
  children: ReactNode
}

/** A dense table. On narrow screens each row becomes a card. Plain elements: see decision 0034. */
export function Table({ caption, columns, isCompact, children }: Props) {
  return (
    <div className={css.frame} data-compact={isCompact || undefined}>
      <table className={css.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber, head, sort }) => (
              <th key={name} scope="col" data-number={isNumber || undefined} aria-sort={sort}>
                {head ?? name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

type RowProps = {
  /** Whether its first cell is a box to choose it. */
  isChoosable?: boolean
  /** `Cell`s. */
  children: ReactNode
}

/** One row. */
export function Row({ isChoosable, children }: RowProps) {
  return <tr data-choosable={isChoosable || undefined}>{children}</tr>
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
  /** The name of a person: keeps the room of two words beside long texts. */
  isName?: boolean
  children: ReactNode
}

export function Cell(props: CellProps) {
  const { isTitle, label, isNumber, isWhole, isLong, isName, children } = props
  return (
    <td
      data-title={isTitle || undefined}
      data-label={label}
      data-number={isNumber || undefined}
      data-whole={isWhole || undefined}
      data-long={isLong || undefined}
      data-name={isName || undefined}
    >
      {children}
    </td>
  )
}
