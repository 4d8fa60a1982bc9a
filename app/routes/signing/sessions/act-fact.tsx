import css from './act-fact.module.css'
import type { ActView } from './act-view.ts'

/** The name of an act, and what is known about signing it electronically. */
export const ActFact = ({ act: { name, electronic } }: { act: ActView }) => (
  <>
    {name}
    <br />
    <span className={css.quiet}>{electronic}</span>
  </>
)
