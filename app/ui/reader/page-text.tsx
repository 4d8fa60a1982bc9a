import css from './reader.module.css'
import type { ShownPage } from './reader-view.ts'

/**
 * The text of a page, unseen above its picture: browsers find and mark it, and screen readers read it, without scripts. It
 * is what the file says, not what the picture shows.
 */
export function PageText({ page, turn }: { page: ShownPage; turn: number }) {
  const { width, height, lines } = page
  if (lines.length === 0) return null
  const [shownWidth, shownHeight] = turn % 180 === 0 ? [width, height] : [height, width]
  return (
    <svg
      // The lines speak for themselves.
      role="presentation"
      className={css.text}
      viewBox={`0 0 ${shownWidth} ${shownHeight}`}
      preserveAspectRatio="none"
    >
      <g transform={turned(width, height, turn)}>
        {Object.entries(lines).map(([key, { text, x, y, width: length, size }]) => (
          <text key={key} x={x} y={y} fontSize={size} textLength={length}>
            {text}
          </text>
        ))}
      </g>
    </svg>
  )
}

function turned(width: number, height: number, turn: number): string | undefined {
  if (turn === 90) return `translate(${height} 0) rotate(90)`
  if (turn === 180) return `translate(${width} ${height}) rotate(180)`
  return turn === 270 ? `translate(0 ${width}) rotate(270)` : undefined
}
