import type { ReactNode } from 'react'
import css from './empty-state.module.css'

/** An empty list: one sentence, and the next step if there is one. */
export function EmptyState({ children, next }: { children: ReactNode; next?: ReactNode }) {
  return (
    <div className={css.empty}>
      <p>{children}</p>
      {next}
    </div>
  )
}
