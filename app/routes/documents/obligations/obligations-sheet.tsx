import type { DeadlineRowView } from '#app/http/documents/deadline-row.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import css from './obligations-sheet.module.css'

/** What the office must do about a document, on its page; nothing if it has no obligations. */
export function ObligationsSheet({ rows }: { rows: readonly DeadlineRowView[] }) {
  if (rows.length === 0) return null
  return (
    <Sheet
      title="Obligaciones"
      aside={<PageLink to="/dashboard/settings/obligations">Ver plazos y fuentes</PageLink>}
    >
      <ul className={css.list}>
        {rows.map((row) => (
          <li key={row.id}>
            <Badge tone={row.tone}>{row.standing}</Badge>
            <PageLink to={`/dashboard/obligations/${row.id}`}>{row.name}</PageLink>
            <span className={css.soft}>
              Vence el <Time at={row.due.at}>{row.due.text}</Time> · {row.term}. {row.source}
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
