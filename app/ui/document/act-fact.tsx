import type { ActView } from '#app/http/act-view.ts'
import css from './protocol-notice.module.css'

/** The name of an act, and what is known about signing it electronically. */
export const ActFact = ({ act: { name, electronic } }: { act: ActView }) => (
  <>
    {name}
    <br />
    <span className={css.quiet}>{electronic}</span>
  </>
)
