import { Fragment } from 'react'
import css from './hash.module.css'

/**
 * A hash, serial number or code in groups of four for comparison. The gaps are styling: the copied text is
 * the value itself.
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
