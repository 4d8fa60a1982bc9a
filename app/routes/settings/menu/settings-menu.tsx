import { useLocation } from 'react-router'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './settings-menu.module.css'

export type MenuSection = { name: string; pages: readonly { to: string; name: string }[] }

/** The sections of the settings; that of the open page shows its pages. */
export function SettingsMenu({ sections }: { sections: readonly MenuSection[] }) {
  const { pathname } = useLocation()
  const open = openPage(sections, pathname)
  return (
    <nav aria-label="Secciones de Configuración" className={css.menu}>
      <ul>
        {sections.map(({ name, pages }) => {
          const isOpen = pages.some(({ to }) => to === open)
          return (
            <li key={name} data-open={isOpen || undefined}>
              {isOpen ? (
                <span className={css.section}>{name}</span>
              ) : (
                <PageLink to={pages[0]?.to ?? ''} className={css.section}>
                  {name}
                </PageLink>
              )}
              {isOpen && <Pages pages={pages} open={open} />}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function Pages({ pages, open }: Pick<MenuSection, 'pages'> & { open: string | undefined }) {
  return (
    <ul>
      {pages.map(({ to, name }) => (
        <li key={to}>
          <PageLink to={to} className={css.page} aria-current={to === open ? 'page' : undefined}>
            {name}
          </PageLink>
        </li>
      ))}
    </ul>
  )
}

/** The menu's page for the open page: itself, or the one above it. */
export function openPage(sections: readonly MenuSection[], pathname: string): string | undefined {
  const path = pathname.replace(/\/+$/, '')
  return sections
    .flatMap(({ pages }) => pages.map(({ to }) => to))
    .filter((to) => path === to || path.startsWith(`${to}/`))
    .toSorted((a, b) => b.length - a.length)[0]
}
