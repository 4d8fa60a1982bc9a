/** For spreadsheets, which without it take UTF-8 for the letters of an old Windows. */
export const CSV_BEGINNING = '\ufeff'

/**
 * A line of a table. A cell that a spreadsheet would take for a formula gets an apostrophe in front: a name typed
 * by a stranger must not run as a formula when the table is opened.
 *
 * @see RFC 4180, 2
 */
export const csvLine = (cells: readonly (string | number)[]) => `${cells.map(cellOf).join(',')}\r\n`

/** A sign that begins a formula, also behind blanks, in its wide form, or behind what is cut away. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
