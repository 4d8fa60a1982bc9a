/**
 * What a page shows of itself to its style sheets, one text each: a class as `.name`, a data attribute as
 * `[name]` and as `[name=value]`, a variable that its markup refers to as `--name`.
 */
export type Traits = ReadonlySet<string>

export const classTrait = (name: string) => `.${name}`

/** None for an attribute that browsers change by themselves, as `open`, or that is not worth a look. */
export function attributeTrait(name: string, value?: string): string | undefined {
  if (name.startsWith('data-')) return value === undefined ? `[${name}]` : `[${name}=${value}]`
}

export const variablesIn = (text: string) =>
  Array.from(text.matchAll(/var\(\s*(--[\w-]+)/g), ([, name]) => name as string)

const TRAIT = / (class|data-[\w-]+)="([^"]*)"|var\(\s*(--[\w-]+)/g

/**
 * The traits of a finished page, as far as they are among `known`.
 *
 * @param html as React writes it: attributes in double quotes, which a text between tags never has
 */
export function traitsIn(html: string, known: Traits): Set<string> {
  const found = new Set<string>()
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
  // A script may set any attribute later. Classes it leaves alone: a test holds the islands to that.
  if (html.includes('<script'))
    for (const trait of known) if (trait.startsWith('[')) found.add(trait)
  return found
}
