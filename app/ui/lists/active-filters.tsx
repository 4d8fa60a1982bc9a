import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './chips.module.css'

type Props = {
  /** Each with the address of the list without it. */
  filters: readonly { name: string; without: string }[]
}

/** The filters of a list, each a link that removes it; nothing if there are none. */
export function ActiveFilters({ filters }: Props) {
  if (filters.length === 0) return null
  return (
    <nav aria-label="Filtros activos">
      <ul className={css.chips}>
        {filters.map(({ name, without }) => (
          <li key={name}>
            <PageLink to={without} className={css.chip} data-removable>
              <span className="visually-hidden">Quitar el filtro: </span>
              {name}
              <Icon name="cross" size={14} />
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
