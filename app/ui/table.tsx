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
  /** The column's name again, shown where the head of the table is not. */
  label?: string
  isNumber?: boolean
  children: ReactNode
}

/** A cell; without `label` it stands in the first line of the card. */
export function Cell({ label, isNumber, children }: CellProps) {
  return (
    <td data-label={label} data-number={isNumber || undefined}>
      {children}
    </td>
  )
}
