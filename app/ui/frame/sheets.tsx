import type { ReactNode } from 'react'
import css from './sheets.module.css'

/** The cards of a page: one column, two on wide screens. */
export function Sheets({ children }: { children: ReactNode }) {
  return <div className={css.sheets}>{children}</div>
}
