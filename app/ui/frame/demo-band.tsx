import { useRouteLoaderData } from 'react-router'
import { labels } from '#app/messages/labels.ts'
import css from './demo-band.module.css'

/** The band that marks every page of a demo office. */
export function DemoBand() {
  const root = useRouteLoaderData('root') as { isDemo?: boolean } | undefined
  return root?.isDemo ? (
    <aside className={css.band} aria-label="Demostración">
      {labels.demo}
    </aside>
  ) : null
}
