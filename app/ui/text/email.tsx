import { Fragment } from 'react'

/** An e-mail address that wraps only at `@` and dots. */
export function Email({ address }: { address: string }) {
  const pauses = [...address.matchAll(/(?<=@)|(?=\.)/g)].map(({ index }) => index)
  const starts = [0, ...pauses]
  return starts.map((start, index) => (
    <Fragment key={start}>
      {start > 0 && <wbr />}
      {address.slice(start, starts[index + 1])}
    </Fragment>
  ))
}
