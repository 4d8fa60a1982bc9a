import type { z } from 'zod'
import { valuesByName } from '#app/http/values-by-name.ts'
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

/** Of how many faults a refusal tells, and how much of the name of each: who sent them knows the rest. */
export const MOST_FAULTS = 20
export const LONGEST_NAME = 100

function errorsOf({ issues }: z.ZodError): Record<string, string[]> {
  const errors: Record<string, string[]> = Object.create(null)
  for (const [field, sentence] of faultsIn(issues).take(MOST_FAULTS))
    append(field.slice(0, LONGEST_NAME), sentence)
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

/** The values of a query; one that comes twice is a list, which no schema takes. */
export function queryOf(parameters: URLSearchParams): Record<string, unknown> {
  // Not by assignment: `__proto__` is a name like any other.
  return Object.fromEntries(valuesByName(parameters))
}
