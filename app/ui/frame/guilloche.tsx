import { useId } from 'react'
import css from './guilloche.module.css'

const TILE = 280
const HEIGHT = 240
const LINES = 12

/** Returns one tile of an endless band: waves with common nodes, in two layers half a wave apart. */
function weave(): string {
  const half = TILE / 2
  const wave = (start: number, rise: number) =>
    `M${start} ${HEIGHT / 2}q${half / 2} ${rise} ${half} 0t${half} 0`
  return Array.from({ length: LINES }, (_, index) => {
    const rise = Math.round(((index + 1) / LINES) * HEIGHT * 0.9)
    return [rise, -rise].map((way) => wave(0, way) + wave(-half / 2, way) + wave(half * 1.5, way))
  })
    .flat()
    .join('')
}

const WEAVE = weave()

/** The fine lines of security paper, behind the page header. */
export function Guilloche() {
  const id = useId()
  return (
    <svg className={css.guilloche} aria-hidden="true" focusable="false">
      <pattern id={id} width={TILE} height={HEIGHT} patternUnits="userSpaceOnUse">
        <path d={WEAVE} fill="none" stroke="currentColor" strokeWidth="0.8" />
      </pattern>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  )
}
