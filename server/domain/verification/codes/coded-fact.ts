import { fieldLabel, foreignText } from '#server/domain/text/shown-text.ts'

/** A code of a closed list with its parameters. A sentence for it is in server/words/verification. */
export type CodedFact = { readonly code: string; readonly parameters: Parameters }

/** Plain JSON values. Times are RFC 3339 in UTC. */
export type Parameters = { readonly [name: string]: string | number | boolean | null }

/** Of a fact that its code states in full. */
export type NoParameters = Record<never, never>

/** The names of the parameters of a list that may be texts. */
export type TextParameterOf<Codes> = { [Code in keyof Codes]: TextIn<Codes[Code]> }[keyof Codes]

type TextIn<Parameters> = {
  [Name in keyof Parameters]: Extract<Parameters[Name], string> extends never ? never : Name
}[keyof Parameters]

/** The facts of a list, which gives each code the type of its parameters. */
export type CodedFactOf<Codes> = {
  [Code in keyof Codes]: { readonly code: Code; readonly parameters: Codes[Code] }
}[keyof Codes]

/**
 * Returns the function that makes the facts of one list. Their texts may come from the file: they are made fit to
 * be quoted.
 */
export const codedFactsOf =
  <Codes>() =>
  <Code extends keyof Codes>(
    code: Code,
    ...[parameters]: keyof Codes[Code] extends never ? [] : [Codes[Code]]
  ) =>
    ({ code, parameters: shown(parameters ?? {}) }) as unknown as CodedFactOf<Codes>

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
