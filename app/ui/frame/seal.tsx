/*
 * Same drawing as the printed seal (server/domain/signing/seal.ts), which browser code cannot import; a
 * test compares them.
 */
const GUILLOCHE =
  'M63 32a31 31 0 1 0 -62 0a31 31 0 1 0 62 0M61.2 32a29.2 20.5 0 1 0 -58.4 0a29.2 20.5 0 1 0 58.4 0M60.2 39.6a29.2 20.5 15 1 0 -56.4 -15.2a29.2 20.5 15 1 0 56.4 15.2M57.3 46.6a29.2 20.5 30 1 0 -50.6 -29.2a29.2 20.5 30 1 0 50.6 29.2M52.6 52.6a29.2 20.5 45 1 0 -41.2 -41.2a29.2 20.5 45 1 0 41.2 41.2M46.6 57.3a29.2 20.5 60 1 0 -29.2 -50.6a29.2 20.5 60 1 0 29.2 50.6M39.6 60.2a29.2 20.5 75 1 0 -15.2 -56.4a29.2 20.5 75 1 0 15.2 56.4M32 61.2a29.2 20.5 90 1 0 0 -58.4a29.2 20.5 90 1 0 0 58.4M24.4 60.2a29.2 20.5 105 1 0 15.2 -56.4a29.2 20.5 105 1 0 -15.2 56.4M17.4 57.3a29.2 20.5 120 1 0 29.2 -50.6a29.2 20.5 120 1 0 -29.2 50.6M11.4 52.6a29.2 20.5 135 1 0 41.2 -41.2a29.2 20.5 135 1 0 -41.2 41.2M6.7 46.6a29.2 20.5 150 1 0 50.6 -29.2a29.2 20.5 150 1 0 -50.6 29.2M3.8 39.6a29.2 20.5 165 1 0 56.4 -15.2a29.2 20.5 165 1 0 -56.4 15.2'
const GUILLOCHE_WIDTH = 0.7
const DISC =
  'M49.5 32a17.5 17.5 0 1 0 -35 0a17.5 17.5 0 1 0 35 0M22.8 21.5H34C39.4 21.5 42.2 23.8 42.2 27.4C42.2 30.5 40.1 32.5 36.7 33.2L41.3 39.9C41.9 40.8 42.5 41.1 43.6 41.2V42.5H37.7L32 33.8H29.4V39.8C29.4 40.8 29.9 41.1 31.3 41.2V42.5H22.8V41.2C24.2 41.1 24.7 40.8 24.7 39.8V24.2C24.7 23.2 24.2 22.9 22.8 22.8ZM29.4 23.1V32.2H32.7C35.6 32.2 37.3 30.5 37.3 27.6C37.3 24.7 35.6 23.1 32.7 23.1Z'

/**
 * The seal of the product, in the color of the text around it.
 *
 * @param size width and height in CSS pixels
 */
export function Seal({ size = 40 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 64 64"
      fill="none"
      aria-hidden="true"
      focusable="false"
    >
      <path d={GUILLOCHE} stroke="currentColor" strokeWidth={GUILLOCHE_WIDTH} />
      <path d={DISC} fill="currentColor" fillRule="evenodd" />
    </svg>
  )
}
