import type { ReactNode } from 'react'
import css from './section.module.css'

type Props = {
  title: string
  /** Beside the title: a link to more, or actions. */
  aside?: ReactNode
  children: ReactNode
}

/** A titled section of a dashboard page. */
export function Section({ title, aside, children }: Props) {
  return (
    <section className={css.section}>
      <header className={css.head}>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

/** Sections of a page, one below the other. */
export function Sections({ children }: { children: ReactNode }) {
  return <div className={css.sections}>{children}</div>
}
