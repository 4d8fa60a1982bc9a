import { fieldLabel, foreignText } from '#server/domain/text/shown-text.ts'

/** A code of a closed list with its parameters. A sentence for it is in server/words/verification. */
export type Fact = { readonly code: string; readonly parameters: Parameters }

/** Plain JSON values. Times are RFC 3339 in UTC. */
export type Parameters = { readonly [name: string]: string | number | boolean | null }

/** Of a fact that its code states in full. */
export type NoParameters = Record<never, never>

/** The names of the parameters of a list. */
export type ParameterOf<List> = {
  [Code in keyof List]: List[Code] extends NoParameters ? keyof List[Code] : never
}[keyof List]

/** The facts of a list, which gives each code the type of its parameters. */
export type FactOf<List> = {
  [Code in keyof List]: { readonly code: Code; readonly parameters: List[Code] }
}[keyof List]

/** Returns the function that makes the facts of one list. Its texts may come from the file: they are fit to be quoted. */
export const factsOf =
  <List>() =>
  <Code extends keyof List>(
    code: Code,
    ...[parameters]: keyof List[Code] extends never ? [] : [List[Code]]
  ) =>
    ({ code, parameters: shown(parameters ?? {}) }) as unknown as FactOf<List>

const LONGEST_TEXT = 2000

const shown = (parameters: object) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value !== 'string'
        ? value
        : name === 'field'
          ? fieldLabel(value)
          : foreignText(value, LONGEST_TEXT),
    ]),
  )
