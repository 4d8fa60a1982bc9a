import { Fragment } from 'react'
import css from './hash.module.css'

/**
 * A fingerprint, serial or code, in groups of four that a person can compare. The gaps are drawn, not
 * written: what is selected and copied is the value itself.
 */
export function Hash({ value, size = 4 }: { value: string; size?: number }) {
  const starts = Array.from({ length: Math.ceil(value.length / size) }, (_, index) => index * size)
  return (
    <code className={css.hash}>
      {starts.map((start) => (
        <Fragment key={start}>
          {start > 0 && <wbr />}
          <span>{value.slice(start, start + size)}</span>
        </Fragment>
      ))}
    </code>
  )
}
