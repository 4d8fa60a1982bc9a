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
  children: ReactNode
}

/** A dense list with one row a thing. On a narrow screen each row becomes a card of its own. */
export function Table({ caption, columns, children }: Props) {
  return (
    <div className={css.frame}>
      <table className={css.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" data-number={isNumber || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
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
      data-title={isTitle || undefined}
      data-label={label}
      data-number={isNumber || undefined}
      data-whole={isWhole || undefined}
    >
      {children}
    </td>
  )
}
