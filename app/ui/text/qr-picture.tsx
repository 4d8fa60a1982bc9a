import css from './qr-picture.module.css'

/** What is drawn of a `QrCode`: modules per side, and the dark ones as an SVG path. */
export type DrawnQr = { size: number; path: string }

type Props = {
  qr: DrawnQr
  /** What it leads to, for people who do not see it. */
  label: string
  /** Sides of 160, 220 or 240 CSS pixels, or the width of the column. */
  size?: 'sm' | 'md' | 'lg'
}

/** A QR code with the quiet zone of four modules that ISO/IEC 18004 requires. */
export function QrPicture({ qr, label, size = 'lg' }: Props) {
  const side = qr.size + 8
  return (
    <svg
      className={css.qr}
      data-size={size}
      viewBox={`-4 -4 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={qr.path} />
    </svg>
  )
}
