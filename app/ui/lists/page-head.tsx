import type { ReactNode } from 'react'
import css from './page-head.module.css'

type Props = {
  title: string
  /** One line under the title. */
  lead?: ReactNode
  /** The one primary action of the page. */
  action?: ReactNode
}

/** The header of a page: title at the left, primary action at the right. */
export function PageHead({ title, lead, action }: Props) {
  return (
    <header className={css.head}>
      <div>
        <h1>{title}</h1>
        {lead && <div className={css.lead}>{lead}</div>}
      </div>
      {action}
    </header>
  )
}
