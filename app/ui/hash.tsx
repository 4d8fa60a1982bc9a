import { Fragment } from 'react'
import css from './hash.module.css'

/**
 * A fingerprint, serial or code, in groups of four that a person can compare. The gaps are drawn, not
 * written: what is selected and copied is the value itself.
 */
export function Hash({ value, size = 4 }: { value: string; size?: number }) {
  const groups = value.match(new RegExp(`.{1,${size}}`, 'gu')) ?? []
  return (
    <code className={css.hash}>
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups never move
        <Fragment key={index}>
          {index > 0 && <wbr />}
          <span>{group}</span>
        </Fragment>
      ))}
    </code>
  )
}
