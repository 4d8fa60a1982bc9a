import type { z } from 'zod'
import { valuesByName } from '#app/http/values-by-name.ts'
import { Refused } from './refused.ts'

type Issue = Parameters<z.core.$ZodErrorMap>[0]

/** Returns an es-MX sentence for an issue; schemas of the domain have none. */
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

/** Returns the parsed value. @throws {Refused} 422 with a list of sentences per field */
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

/** Limits of errors per refusal and of the length of each field name. */
export const MAX_FAULTS = 20
export const MAX_NAME_LENGTH = 100

function errorsOf({ issues }: z.ZodError): Record<string, string[]> {
  const errors: Record<string, string[]> = Object.create(null)
  for (const [field, sentence] of faultsIn(issues).take(MAX_FAULTS))
    append(field.slice(0, MAX_NAME_LENGTH), sentence)
  return errors

  function append(field: string, sentence: string) {
    const sentences = errors[field] ?? []
    sentences.push(sentence)
    errors[field] = sentences
  }
}

function* faultsIn(
  issues: readonly z.core.$ZodIssue[],
): Generator<[field: string, sentence: string]> {
  for (const issue of issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
    for (const name of names) {
      const field = [...issue.path, ...(name === undefined ? [] : [name])].join('.') || 'body'
      yield [field, issue.message]
    }
  }
}

/** Returns the query parameters; a repeated one becomes a list, which every schema refuses. */
export function queryOf(parameters: URLSearchParams): Record<string, unknown> {
  // Not by assignment: `__proto__` is an ordinary name here.
  return Object.fromEntries(valuesByName(parameters))
}
