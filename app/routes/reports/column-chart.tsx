import type { ShownChart } from './chart-view.ts'
import css from './column-chart.module.css'

/**
 * Columns over time, drawn by the server. The text stands beside the picture, so that it keeps its size on narrow screens; the
 * table beside has every number.
 */
export function ColumnChart({ chart }: { chart: ShownChart }) {
  const { series, ticks, first, last, alternative } = chart
  return (
    <figure className={css.chart}>
      <ul className={css.legend} aria-hidden="true">
        {series.map(({ name }, index) => (
          <li key={name} data-series={index}>
            {name}
          </li>
        ))}
      </ul>
      <div className={css.ticks} aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
      </div>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={alternative}>
        {[0, 50, 100].map((y) => (
          <line key={y} x1="0" x2="100" y1={y} y2={y} />
        ))}
        {series.map(({ name, bars }, index) => (
          <g key={name} data-series={index}>
            {bars
              .filter(({ height }) => height > 0)
              .map(({ x, width, height }) => (
                <rect key={x} x={x} y={100 - height} width={width} height={height} />
              ))}
          </g>
        ))}
      </svg>
      <div className={css.ends} aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </div>
    </figure>
  )
}
