import type { DeadlineRowView } from '#app/http/documents/deadline-row.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import css from './overview.module.css'

/** What the office must do next: late obligations, and those of the coming days. */
export function DueObligations({ rows }: { rows: readonly DeadlineRowView[] }) {
  return (
    <Sheet
      title="Obligaciones vencidas o por vencer"
      aside={<PageLink to="/dashboard/obligations">Ver todas</PageLink>}
    >
      {rows.length > 0 ? (
        <Rows rows={rows} />
      ) : (
        <p className={css.lead}>Ninguna obligación vence en los próximos 7 días.</p>
      )}
    </Sheet>
  )
}

function Rows({ rows }: { rows: readonly DeadlineRowView[] }) {
  return (
    <ul className={css.ending}>
      {rows.map((row) => (
        <li key={row.id}>
          <Badge tone={row.tone}>{row.standing}</Badge>
          <PageLink to={`/dashboard/obligations/${row.id}`}>
            {row.name}: {row.about}
          </PageLink>
          <span className={css.day}>
            <Time at={row.due.at}>{row.due.text}</Time>
          </span>
        </li>
      ))}
    </ul>
  )
}
