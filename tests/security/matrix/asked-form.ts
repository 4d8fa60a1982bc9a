import type { Asked, Rule, Sent } from './request.ts'
import type { Credentials, Things } from './world.ts'

type Fields = Readonly<Record<string, string>>
type FieldsOf = Fields | ((things: Things, actor: Credentials) => Fields)
type To = string | ((things: Things, actor: Credentials) => string)

const sentForm = (fields: Fields): Sent => ({ kind: 'form', fields: Object.entries(fields) })

/** A form about a thing of the office that is asked about. */
export const form = (
  rule: Rule,
  to: To,
  fields: FieldsOf = {},
  done: Asked['done'] = 303,
): Asked => ({
  ...{ rule, to, done },
  whose: 'office',
  sent: typeof fields === 'function' ? (...args) => sentForm(fields(...args)) : sentForm(fields),
})

/** A form about something that each actor has, or that does not exist yet. */
export const ownForm = (...args: Parameters<typeof form>): Asked => ({
  ...form(...args),
  whose: 'own',
})

const SOME_FILE = Buffer.from('no certificate, no key and no PDF')

/** A form with a file, which nothing can read. */
export const fileForm = (
  rule: Rule,
  to: To,
  { fields = {}, files = ['file'], done = 422 as Asked['done'], whose = 'own' as Asked['whose'] },
): Asked => ({
  ...{ rule, to, done, whose },
  sent: { kind: 'parts', fields, files, bytes: SOME_FILE },
})

export const REASON = 'Un motivo cualquiera, bastante largo.'
