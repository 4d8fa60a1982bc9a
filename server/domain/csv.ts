/** Byte order mark: without it, spreadsheets do not read UTF-8. */
export const CSV_BEGINNING = '\ufeff'

/**
 * A row of a table. Cells that a spreadsheet would treat as formulas get an apostrophe, so that text from
 * outside cannot run as a formula.
 *
 * @see RFC 4180, 2
 */
export const csvLine = (cells: readonly (string | number)[]) => `${cells.map(cellOf).join(',')}\r\n`

/** A formula prefix, also after blanks, full width, or after characters that are stripped. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
