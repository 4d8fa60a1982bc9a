import { z } from 'zod'
import { fromBase64, toBase64 } from '#server/domain/bytes.ts'

/*
 * Rows as lines of text: a JSON object by column, bytes as `{"base64": "…"}`. Times are milliseconds, as in the
 * database. The same on both databases, so that a backup of one restores into the other.
 */

/** A row as a database gives it. */
export type Row = Readonly<Record<string, RowValue>>
export type RowValue = string | number | null | Uint8Array

const Bytes = z.strictObject({ base64: z.string() })
const Line = z.record(
  z.string().regex(/^[a-z][a-z0-9_]{0,62}$/),
  z.union([
    z.string(),
    z.number(),
    z.null(),
    Bytes.transform(({ base64 }) => Buffer.from(fromBase64(base64))),
  ]),
)

/** @throws {Error} for a value that has no form here: it would be lost */
export function lineOfRow(row: Row): string {
  const entries = Object.entries(row).map(([column, value]) => [column, shown(column, value)])
  return JSON.stringify(Object.fromEntries(entries))
}

/** @throws {Error} if the text is no row */
export const rowInLine = (text: string): Row => Line.parse(JSON.parse(text))

function shown(column: string, value: RowValue) {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (value instanceof Uint8Array) return { base64: toBase64(value) }
  throw new Error(`column ${column} has a value of another kind`)
}
