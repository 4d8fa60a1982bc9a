import type { ReactNode } from 'react'
import css from './sheet.module.css'

type Props = {
  title?: string
  /** Beside the title, such as a link to more. */
  aside?: ReactNode
  children: ReactNode
}

/** A card: one topic of the page. */
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
