import {
  HORIZONTAL,
  LONGEST_PART,
  MOST_VERTICAL,
  PART,
  PASS,
  RUNS,
  VERTICAL,
} from '#server/domain/pdf/pictures/fax-codes.ts'

/**
 * A picture coded in Group 4, with the mark at its end.
 *
 * @param rows of `#` for black, all of one length
 * @see ITU-T T.6, figure 7
 */
export function faxOf(rows: readonly string[]): Uint8Array {
  const codes = rows.map((row, at) => codesOf(row, rows[at - 1] ?? ' '.repeat(row.length)))
  return packed(`${codes.join('')}000000000001000000000001`)
}

export const packed = (bits: string) =>
  Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2))

function codesOf(row: string, above: string): string {
  const width = row.length
  const colourAt = (line: string, at: number) => (at < 0 ? ' ' : line[at])
  /** The first change behind a pixel, away from a colour. */
  const change = (line: string, after: number, from?: string) => {
    let at = after + 1
    while (
      at < width &&
      !(
        colourAt(line, at) !== colourAt(line, at - 1) &&
        (from === undefined || colourAt(line, at - 1) === from)
      )
    )
      at++
    return at
  }
  let codes = ''
  let last = -1
  let colour = ' '
  while (last < width) {
    const over = change(above, last, colour)
    const behind = change(above, over)
    let next = Math.max(last, 0)
    while (next < width && row[next] === colour) next++
    if (behind < next) {
      codes += PASS
      last = behind
    } else if (Math.abs(next - over) <= MOST_VERTICAL) {
      codes += VERTICAL.get(next - over)
      last = next
      colour = colour === ' ' ? '#' : ' '
    } else {
      let end = next
      while (end < width && row[end] !== colour) end++
      const [first, second] =
        colour === ' ' ? (['white', 'black'] as const) : (['black', 'white'] as const)
      codes += HORIZONTAL + runOf(next - Math.max(last, 0), first) + runOf(end - next, second)
      last = end
    }
  }
  return codes
}

function runOf(length: number, colour: keyof typeof RUNS): string {
  let code = ''
  let rest = length
  for (; rest > LONGEST_PART + PART - 1; rest -= LONGEST_PART)
    code += RUNS[colour].get(LONGEST_PART)
  if (rest >= PART) code += RUNS[colour].get(rest - (rest % PART))
  return code + RUNS[colour].get(rest % PART)
}
