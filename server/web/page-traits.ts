/**
 * The traits of a page that selectors can match: a class as `.name`, a data attribute as `[name]` and
 * `[name=value]`, a variable used in its markup as `--name`.
 */
export type Traits = ReadonlySet<string>

export const classTrait = (name: string) => `.${name}`

/** Undefined for attributes that browsers change by themselves, such as `open`, or that do not pay off. */
export function attributeTrait(name: string, value?: string): string | undefined {
  if (name.startsWith('data-')) return value === undefined ? `[${name}]` : `[${name}=${value}]`
}

export const variablesIn = (text: string) =>
  Array.from(text.matchAll(/var\(\s*(--[\w-]+)/g), ([, name]) => name as string)

const TRAIT = / (class|data-[\w-]+)="([^"]*)"|var\(\s*(--[\w-]+)/g

/**
 * The traits of a finished page that are in `known`.
 *
 * @param html React's output: attributes in double quotes, which never occur in text; other letters than ASCII in any coding
 */
export function traitsIn(html: string, known: Traits): Set<string> {
  const found = new Set<string>()
  // A page that links its style sheets.
  if (known.size === 0) return found
  const seen = new Set<string>()
  const add = (trait: string | undefined) => {
    if (trait && known.has(trait)) found.add(trait)
  }
  for (const [whole, name = '', value = '', variable] of html.matchAll(TRAIT)) {
    if (seen.has(whole)) continue
    seen.add(whole)
    if (name === 'class') for (const part of value.split(' ')) add(classTrait(part))
    add(attributeTrait(name))
    add(attributeTrait(name, value))
    add(variable)
  }
  // A script may set any attribute later, but no class: a test checks the islands for that.
  if (html.includes('<script'))
    for (const trait of known) if (trait.startsWith('[')) found.add(trait)
  return found
}
