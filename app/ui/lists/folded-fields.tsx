import type { ReactNode } from 'react'
import css from './folded-fields.module.css'

/** Fields of a form that a phone folds; wider screens always show them. */
export function FoldedFields({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className={css.fold}>
      <summary>{label}</summary>
      {children}
    </details>
  )
}
