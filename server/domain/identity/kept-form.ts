import { minutes } from '#server/domain/time.ts'

/** A form whose session was over when it came, as it is shown again after the next sign-in. */
export type KeptForm = {
  /** Where the form was sent to, without a query: `/dashboard/users/new`. */
  path: string
  /** In order; a name may repeat. */
  fields: [name: string, value: string][]
  /** Whether it had files, passwords or codes, which are not kept. */
  isPartial: boolean
}

/** How long a form waits for its user. */
export const KEPT_FORM_LIFETIME = minutes(60)

/** Most forms that wait for one user. */
export const MOST_KEPT_FORMS = 20

/** Most bytes of its fields. */
export const KEPT_FORM_LIMIT = 64 * 1024

/** Fields that must never be stored, not even sealed: passwords, PINs, keys and codes. */
export const SECRET_FIELD = /password|contrase|key|clave|secret|pkcs12|^pin$|^code$/i

/** Valid once: sealed codes, and answers of security keys. */
const SPENT_FIELD = /^(?:keptCode|response)$/

/** Meaningless in another session. */
const OF_THE_PAGE = /^(?:csrf|once)$/

/** Returns what may be kept of a form's fields. A file is any value that is not text. */
export function keepable(
  entries: readonly (readonly [name: string, value: unknown])[],
): Pick<KeptForm, 'fields' | 'isPartial'> {
  const own = entries.filter(([name]) => !OF_THE_PAGE.test(name))
  const fields = own
    .filter(isText)
    .filter(([name]) => !SECRET_FIELD.test(name) && !SPENT_FIELD.test(name))
  return {
    fields: fields.map(([name, value]) => [name, value]),
    isPartial: fields.length < own.length,
  }
}

const isText = (
  entry: readonly [name: string, value: unknown],
): entry is readonly [name: string, value: string] => typeof entry[1] === 'string'
