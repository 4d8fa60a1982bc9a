import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './sort-link.module.css'

type Props = {
  to: string
  /** How the rows are sorted by the column; undefined if they are not. */
  arrow: 'up' | 'down' | undefined
  children: string
}

/** The head of a column by which a list can be sorted. */
export const SortLink = ({ to, arrow, children }: Props) => (
  <PageLink to={to} className={css.link} preventScrollReset>
    {children}
    <span aria-hidden="true" className={css.arrow} data-arrow={arrow} />
  </PageLink>
)
