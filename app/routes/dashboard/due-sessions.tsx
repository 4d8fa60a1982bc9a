import { Badge } from '#app/ui/feedback/badge.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import css from './overview.module.css'
import type { DueRow } from './overview-rows.ts'

/** The office's sessions whose deadline has passed or is days away. */
export function DueSessions({ rows }: { rows: readonly DueRow[] }) {
  return (
    <Sheet
      title="Sesiones atrasadas o por vencer"
      aside={<PageLink to="/dashboard/signing?show=all">Ver todas las sesiones</PageLink>}
    >
      <ul className={css.ending}>
        {rows.map(({ id, title, isLate, deadline }) => (
          <li key={id}>
            <Badge tone={isLate ? 'bad' : 'wait'}>{isLate ? 'Atrasada' : 'Por vencer'}</Badge>
            <PageLink to={`/dashboard/signing/${id}`}>{title}</PageLink>
            {deadline && (
              <span className={css.day}>
                <Time at={deadline.at}>{deadline.day}</Time>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
