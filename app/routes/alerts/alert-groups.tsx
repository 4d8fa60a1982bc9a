import type { ReactNode } from 'react'
import { AlertList, type AlertRow } from '#app/ui/lists/alert-list.tsx'
import { quoted } from '#server/words/quoted.ts'
import css from './list.module.css'

type Props = {
  rows: readonly AlertRow[]
  actions?: (row: AlertRow) => ReactNode
}

/** The newest alert of each title; the others of that title are folded behind it. */
export function AlertGroups({ rows, ...rest }: Props) {
  const groups = Map.groupBy(rows, ({ title }) => title)
  return (
    <div className={css.groups}>
      {[...groups].map(([title, [newest, ...others]]) => (
        <section key={title} aria-label={title} className={css.group}>
          {newest && <AlertList rows={[newest]} {...rest} />}
          {others.length > 0 && (
            <details>
              <summary>
                {others.length === 1 ? 'Una anterior' : `${others.length} anteriores`} de{' '}
                {quoted(title)}
              </summary>
              <AlertList rows={others} {...rest} />
            </details>
          )}
        </section>
      ))}
    </div>
  )
}
