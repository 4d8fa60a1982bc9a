import type { ReactNode } from 'react'
import css from './page-head.module.css'

type Props = {
  title: string
  /** One line under the title. */
  lead?: ReactNode
  /** The one primary action of the page. */
  action?: ReactNode
}

/** The top of a page: what it is, and at the right what one comes here to do. */
export function PageHead({ title, lead, action }: Props) {
  return (
    <header className={css.head}>
      <div>
        <h1>{title}</h1>
        {lead && <p className={css.lead}>{lead}</p>}
      </div>
      {action}
    </header>
  )
}
