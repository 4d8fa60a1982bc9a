import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './overview.module.css'

export type ShownFigure = {
  name: string
  count: string
  /** In each of the last weeks, the oldest first. */
  weeks: readonly number[]
  /** The list behind it; absent if the reader has none. */
  to?: string
}

/** What the office did in the last 30 days, each with a line of its weeks. */
export function Figures({ figures }: { figures: readonly ShownFigure[] }) {
  return (
    <ul className={css.figures}>
      {figures.map(({ name, count, weeks, to }) => {
        const face = (
          <>
            <strong>{count}</strong>
            <span>{name}</span>
            <Line weeks={weeks} />
          </>
        )
        return (
          <li key={name}>
            {to ? (
              <PageLink to={to} className={css.figure}>
                {face}
              </PageLink>
            ) : (
              <div className={css.figure}>{face}</div>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const [WIDTH, HEIGHT] = [120, 28]

/** The line of the weeks, from nothing to the busiest one; screen readers get the numbers. */
function Line({ weeks }: Pick<ShownFigure, 'weeks'>) {
  const most = Math.max(1, ...weeks)
  const points = weeks.map((count, week) => {
    const x = (week * WIDTH) / Math.max(1, weeks.length - 1)
    return `${round(x)},${round(HEIGHT - (count * HEIGHT) / most)}`
  })
  return (
    <svg
      className={css.line}
      viewBox={`-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Por semana, de la más antigua a esta: ${weeks.join(', ')}`}
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}

const round = (value: number) => Math.round(value * 10) / 10
