import type { ReactNode } from 'react'
import type { Term } from '#server/words/glossary.ts'
import css from './fact-list.module.css'
import { Help } from './help.tsx'

/** A list of labelled facts; one without a value is left out. */
export function FactList({ children }: { children: ReactNode }) {
  return <dl className={css.facts}>{children}</dl>
}

type Props = {
  name: string
  /** A technical word in the name. */
  help?: Term
  children: ReactNode
}

export function Fact({ name, help, children }: Props) {
  if (children === null || children === undefined || children === '') return null
  return (
    <div className={css.fact}>
      <dt>
        {name}
        {help && (
          <>
            {' '}
            <Help about={help} />
          </>
        )}
      </dt>
      <dd>{children}</dd>
    </div>
  )
}
