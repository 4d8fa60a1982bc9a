import { countText } from '#app/ui/text/count-text.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './alert-bell.module.css'

/** The link to the alerts, with the number of unread ones. */
export function AlertBell({ unread }: { unread: number }) {
  return (
    <PageLink to="/dashboard/alerts" className={css.bell} title="Alertas">
      <Icon name="bell" size={22} />
      {unread > 0 && (
        <span className={css.count} aria-hidden="true">
          {countText(unread)}
        </span>
      )}
      <span className="visually-hidden">{nameOf(unread)}</span>
    </PageLink>
  )
}

function nameOf(unread: number): string {
  if (unread === 0) return 'Alertas'
  if (unread === 1) return 'Alertas: una sin leer'
  return `Alertas: ${unread > 99 ? 'más de 99' : unread} sin leer`
}
