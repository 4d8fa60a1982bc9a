import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './tabs.module.css'

const TABS = [
  { to: '/dashboard/certificates', name: 'Certificados' },
  { to: '/dashboard/certificates/keys', name: 'YubiKeys' },
] as const

/** The two lists of this part, as links. */
export function CertificateTabs({ current }: { current: (typeof TABS)[number]['name'] }) {
  return (
    <nav aria-label="Apartados de Certificados">
      <ul className={css.tabs}>
        {TABS.map(({ to, name }) => (
          <li key={name}>
            <PageLink to={to} aria-current={name === current ? 'page' : undefined}>
              {name}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
