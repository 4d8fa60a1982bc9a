import type { ReactNode } from 'react'
import css from './sheets.module.css'

/** The sheets of a page: one below the other, and on wide screens in two columns. */
export function Sheets({ children }: { children: ReactNode }) {
  return <div className={css.sheets}>{children}</div>
}
