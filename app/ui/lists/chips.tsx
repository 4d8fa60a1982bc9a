import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './chips.module.css'

type Props = {
  /** What the chips filter: `Estado`. */
  label: string
  chips: readonly { to: string; name: string; count?: number | string; isActive: boolean }[]
}

/** A filter of links: the page's address holds the selection. */
export function Chips({ label, chips }: Props) {
  return (
    <nav aria-label={label}>
      <ul className={css.chips}>
        {chips.map(({ to, name, count, isActive }) => (
          <li key={name}>
            <PageLink to={to} className={css.chip} aria-current={isActive ? 'true' : undefined}>
              {name}
              {count !== undefined && <span className={css.count}>{count}</span>}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
