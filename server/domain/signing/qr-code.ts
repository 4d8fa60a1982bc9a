import { encode } from 'uqr'

export type QrCode = {
  /** Modules per side, without the required quiet zone of four modules. */
  size: number
  /** The dark modules as an SVG path, one unit a module, y downwards. */
  path: string
  /** The same as rows of dark modules, each from its left end. */
  runs: readonly { x: number; y: number; length: number }[]
}

/**
 * Always the same mask: the code states which one, so readers accept any of the eight, and choosing the most
 * even one takes longer than the rest of a sheet.
 */
export const LOOK = { ecc: 'M', border: 0, maskPattern: 0 } as const

/**
 * The QR code of `text`; error correction M survives a stamp or a fold on paper.
 *
 * @see ISO/IEC 18004:2015
 */
export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, LOOK)
  const runs = data.flatMap(darkRuns)
  return { size, runs, path: runs.map(bar).join('') }
}

type Run = { x: number; y: number; length: number }

function darkRuns(row: readonly boolean[], y: number): Run[] {
  const runs: Run[] = []
  row.forEach((isDark, x) => {
    if (!isDark) return
    if (row[x - 1]) runs.at(-1)!.length += 1
    else runs.push({ x, y, length: 1 })
  })
  return runs
}

const bar = ({ x, y, length }: Run) => `M${x} ${y}h${length}v1h-${length}z`
