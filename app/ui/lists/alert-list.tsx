import type { ReactNode } from 'react'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { type Tone, toneClass } from '#app/ui/feedback/tone.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import type { AlertSeverity } from '#server/domain/alerts/alert.ts'
import css from './alert-list.module.css'

export type AlertRow = {
  id: string
  severity: AlertSeverity
  /** The severity as a word. */
  name: string
  title: string
  text: string
  at: number
  /** `20 nov 2026, 09:05 (hora del centro)`, in the office's time zone. */
  when: string
  state: 'open' | 'read' | 'resolved'
  /** How often and since when; null if it occurred once. */
  repeated: string | null
  /** When it was resolved; null while it is open. */
  resolved: string | null
  /** The page where the reader can act on it. */
  to: { path: string; name: string } | null
}

const TONES: Record<AlertSeverity, Tone> = { information: 'note', warning: 'wait', danger: 'bad' }

/** Alerts, each with its sentence. */
export function AlertList({
  rows,
  actions,
}: {
  rows: readonly AlertRow[]
  /** The actions of each alert. */
  actions?: (row: AlertRow) => ReactNode
}) {
  return (
    <ul className={css.list}>
      {rows.map((row) => (
        <li key={row.id} data-state={row.state} className={toneClass(TONES[row.severity])}>
          <div className={css.head}>
            <Badge tone={TONES[row.severity]}>{row.name}</Badge>
            <strong>{row.title}</strong>
            <span className={css.when}>
              <Time at={row.at}>{row.when}</Time>
            </span>
          </div>
          <p>{row.text}</p>
          {row.repeated && <p className={css.quiet}>{row.repeated}</p>}
          {row.resolved && <p className={css.quiet}>{row.resolved}</p>}
          <div className={css.actions}>
            {row.to && <PageLink to={row.to.path}>{row.to.name}</PageLink>}
            {actions?.(row)}
          </div>
        </li>
      ))}
    </ul>
  )
}
