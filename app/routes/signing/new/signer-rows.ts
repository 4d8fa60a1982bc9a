/** A signer in the form, as typed. */
export type SignerRow = {
  /** Names the fields of the row; stays while rows are added, moved and removed. */
  key: string
  kind: 'user' | 'external'
  userId: string
  name: string
  rfc: string
  email: string
  character: string
  /** The character that the act gave; empty for a row that was added by hand. */
  given: string
  /** Signs at the same time as the row before. */
  isTogether: boolean
}

type Entries = readonly (readonly [name: string, value: string])[]

/** The field with the keys of the rows, in their order. */
export const ROW_KEYS = 'signer'

const FIELDS = ['userId', 'name', 'rfc', 'email', 'character', 'given'] as const

/** Fields of one row at most: those above, its key, its kind and its box. */
export const FIELDS_OF_ROW = FIELDS.length + 3

/** Longer than any field admits, so that a text that is too long is shown and refused. */
const MOST_LETTERS = 400

/** The rows of a form that was sent; at most `most`. A key that is malformed or repeated is ignored. */
export function rowsIn(entries: Entries, most: number): SignerRow[] {
  const values = new Map(entries)
  const keys = entries.flatMap(([name, value]) =>
    name === ROW_KEYS && /^\d{1,6}$/.test(value) ? [value] : [],
  )
  return [...new Set(keys)].slice(0, most).map((key) => {
    const typed = (field: string) => (values.get(`${field}-${key}`) ?? '').slice(0, MOST_LETTERS)
    return {
      key,
      kind: typed('kind') === 'user' ? 'user' : 'external',
      ...{ userId: typed('userId'), name: typed('name'), rfc: typed('rfc') },
      ...{ email: typed('email'), character: typed('character'), given: typed('given') },
      isTogether: typed('together') === 'on',
    }
  })
}

/**
 * The rows with one more; its fields are empty but for those given.
 *
 * @param shown the rows on the page: with the key of one of them, the browser would keep what its fields show
 */
export function withRow(
  rows: readonly SignerRow[],
  fields: Partial<SignerRow> & Pick<SignerRow, 'kind'>,
  at = rows.length,
  shown: readonly SignerRow[] = [],
): SignerRow[] {
  const key = String(1 + Math.max(0, ...[...rows, ...shown].map((row) => Number(row.key))))
  const empty = { userId: '', name: '', rfc: '', email: '', character: '', given: '' }
  return [...rows].toSpliced(at, 0, { ...empty, isTogether: false, ...fields, key })
}

/** Whether it names no person yet. */
export const isVacant = ({ userId, name, rfc, email }: SignerRow): boolean =>
  [userId, name, rfc, email].every((text) => text.trim() === '')

/** Whether nothing was typed into it: it is as it was added, or as the act gave it. */
export const isUntouched = (row: SignerRow): boolean => isVacant(row) && row.character === row.given

/** The step of each row: the next one, unless it signs at the same time as the row before. */
export function stepsOf(rows: readonly Pick<SignerRow, 'isTogether'>[]): number[] {
  const steps: number[] = []
  for (const { isTogether } of rows) {
    const last = steps.at(-1) ?? 0
    steps.push(isTogether && last > 0 ? last : last + 1)
  }
  return steps
}
