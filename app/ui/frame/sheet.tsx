import type { ReactNode } from 'react'
import css from './sheet.module.css'

type Props = {
  title?: string
  /** Beside the title: a link to more. */
  aside?: ReactNode
  children: ReactNode
}

/** A white sheet on the paper: one subject of the page. */
export function Sheet({ title, aside, children }: Props) {
  return (
    <section className={css.sheet}>
      {title && (
        <header className={css.head}>
          <h2>{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  )
}
