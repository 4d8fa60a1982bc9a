import { encode } from 'uqr'

export type QrCode = {
  /** Modules along one side, without the quiet zone of four modules that must surround it. */
  size: number
  /** The dark modules as an SVG path, one unit a module, y downwards. */
  path: string
}

/**
 * The QR code of `text`; error correction M survives a stamp or a fold on paper.
 *
 * @see ISO/IEC 18004:2015
 */
export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const path = data.flatMap((row, y) => darkRuns(row).map((run) => bar(run, y))).join('')
  return { size, path }
}

type Run = { start: number; length: number }

function darkRuns(row: readonly boolean[]): Run[] {
  const runs: Run[] = []
  row.forEach((isDark, x) => {
    if (!isDark) return
    if (row[x - 1]) runs.at(-1)!.length += 1
    else runs.push({ start: x, length: 1 })
  })
  return runs
}

const bar = ({ start, length }: Run, y: number) => `M${start} ${y}h${length}v1h-${length}z`
