/** Any JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/**
 * The canonical JSON text: no white space, keys sorted by UTF-16 code units, numbers and strings as in
 * ECMAScript.
 *
 * @throws {RangeError} for a number that is not finite or a text with a lone surrogate
 * @see RFC 8785 (JSON Canonicalization Scheme)
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number') return canonicalNumber(value)
  if (typeof value === 'string') return canonicalString(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value).sort(byCodeUnits)
  return `{${members.map(([key, inner]) => `${canonicalString(key)}:${canonicalJson(inner)}`).join(',')}}`
}

/* Array.isArray does not narrow a readonly array. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** RFC 8785, 3.2.3: `<` on strings compares UTF-16 code units, as required. */
function byCodeUnits([a]: [string, Json], [b]: [string, Json]): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** RFC 8785, 3.2.2.3: ECMAScript's own form, in which minus zero is `0`. */
function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no JSON form`)
  return String(value)
}

/** RFC 8785, 3.2.2.2: JSON.stringify escapes exactly the required characters, but allows lone surrogates. */
function canonicalString(value: string): string {
  if (!value.isWellFormed()) throw new RangeError('a lone surrogate has no UTF-8 form')
  return JSON.stringify(value)
}
