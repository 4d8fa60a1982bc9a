import { useLocation } from 'react-router'
import { Icon, type IconName } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './shell-menu.module.css'
import { useSidebarOpen } from './use-client-state.ts'

type Entry = { to: string; name: string; icon: IconName }

/** The side menu of the specification: these seven entries in this order. */
const ENTRIES: readonly Entry[] = [
  { to: '/dashboard', name: 'Dashboard', icon: 'dashboard' },
  { to: '/dashboard/documents', name: 'Documentos', icon: 'document' },
  { to: '/dashboard/signing', name: 'Firmar', icon: 'sign' },
  { to: '/dashboard/certificates', name: 'Certificados', icon: 'certificate' },
  { to: '/dashboard/users', name: 'Usuarios', icon: 'people' },
  { to: '/dashboard/audit', name: 'Auditoría', icon: 'audit' },
  { to: '/dashboard/settings', name: 'Configuración', icon: 'settings' },
]

export function ShellMenu() {
  const { pathname } = useLocation()
  const sidebarOpen = useSidebarOpen()
  return (
    <nav aria-label="Principal">
      <ul className={css.menu}>
        {ENTRIES.map(({ to, name, icon }) => (
          <li key={to}>
            <PageLink
              to={to}
              className={css.entry}
              title={sidebarOpen ? undefined : name}
              aria-current={isCurrent(to, pathname) ? 'page' : undefined}
            >
              <Icon name={icon} size={20} />
              {name}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function isCurrent(to: string, pathname: string): boolean {
  const path = pathname.replace(/\/+$/, '')
  return path === to || (to !== '/dashboard' && path.startsWith(`${to}/`))
}
