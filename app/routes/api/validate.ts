import type { z } from 'zod'
import { Refused } from './refused.ts'

type Issue = Parameters<z.core.$ZodErrorMap>[0]

/** What does not fit, es-MX. Schemas of the domain have no sentences of their own. */
function sentenceOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Falta.' : 'No es del tipo esperado.'
    case 'unrecognized_keys':
      return 'No se conoce.'
    case 'too_small':
      return `Lo mínimo es ${issue.minimum}.`
    case 'too_big':
      return `Lo máximo es ${issue.maximum}.`
    case 'invalid_value':
      return `Debe ser uno de: ${issue.values.map(String).join(', ')}.`
    default:
      return 'No tiene la forma esperada.'
  }
}

/**
 * What came, as the schema says it.
 *
 * @throws {Refused} 422 with one list of sentences a field
 */
export function validated<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, { error: sentenceOf, reportInput: true })
  if (parsed.success) return parsed.data
  throw invalid(errorsOf(parsed.error))
}

export function invalid(errors: Record<string, string[]>): Refused {
  return new Refused({
    status: 422,
    code: 'invalid-fields',
    detail: 'Algunos datos no son válidos. No se guardó nada.',
    errors,
  })
}

function errorsOf({ issues }: z.ZodError): Record<string, string[]> {
  const errors: Record<string, string[]> = Object.create(null)
  for (const issue of issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
    for (const name of names) {
      const field = [...issue.path, ...(name === undefined ? [] : [name])].join('.') || 'body'
      errors[field] = [...(errors[field] ?? []), issue.message]
    }
  }
  return errors
}

/** The values of a query; one that comes twice is a list, which no schema takes. */
export function queryOf(parameters: URLSearchParams): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    query[name] = values.length === 1 ? values[0] : values
  }
  return { ...query }
}
