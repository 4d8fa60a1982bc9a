import type { Mutant } from './mutants.ts'
import { programOf } from './syntax.ts'

/** The function that instrumented sources ask whether a mutant is switched on. */
export const SWITCH = '__isMutant'

/** A mutant and the number under which it is switched on. */
export type Numbered = Mutant & { id: number }

type Site = {
  start: number
  end: number
  isStatement: boolean
  /** Whether a statement begins with it: a parenthesis would continue the line before. */
  isFirst: boolean
  mutants: Numbered[]
  inner: Site[]
}

/**
 * The same, checked: a mutant that breaks the syntax would break all tests of the file.
 *
 * @throws {Error} if it does not parse
 */
export function instrumentedFile(
  file: string,
  source: string,
  mutants: readonly Numbered[],
): string {
  const text = instrumented(source, mutants)
  programOf(file, text)
  return text
}

/**
 * The source with all its mutants, each behind a switch: one build runs any of them. The text of a mutant holds no other
 * mutants: only one is switched on.
 */
export function instrumented(source: string, mutants: readonly Numbered[]): string {
  return rendered(source, { start: 0, end: source.length }, sitesOf(mutants))
}

/** One site for each replaced part of the source, smaller ones inside larger ones. */
function sitesOf(mutants: readonly Numbered[]): Site[] {
  const outer: Site[] = []
  const open: Site[] = []
  const inOrder = mutants.toSorted((a, b) => a.start - b.start || b.end - a.end)
  for (const mutant of inOrder) {
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= mutant.start) open.pop()
    const last = open.at(-1)
    if (isSame(last, mutant)) {
      last?.mutants.push(mutant)
      continue
    }
    const { start, end, isStatement, isFirst } = mutant
    const site: Site = { start, end, isStatement, isFirst, mutants: [mutant], inner: [] }
    ;(last?.inner ?? outer).push(site)
    open.push(site)
  }
  return outer
}

/** A statement without semicolon ends where its expression does. */
const isSame = (site: Site | undefined, { start, end, isStatement }: Mutant) =>
  site?.start === start && site.end === end && site.isStatement === isStatement

function rendered(
  source: string,
  { start, end }: { start: number; end: number },
  sites: readonly Site[],
): string {
  let text = ''
  let at = start
  for (const site of sites) {
    text += source.slice(at, site.start) + switched(source, site)
    at = site.end
  }
  return text + source.slice(at, end)
}

function switched(source: string, site: Site): string {
  const original = rendered(source, site, site.isStatement ? site.inner : opened(site))
  const separator = site.isFirst ? ';' : ''
  if (!site.isStatement) return `${separator}(${alternatives(site)}(${original}))`
  return site.mutants.reduceRight(
    (text, { id, after }) => `if (${SWITCH}(${id})) {${after}} else {${text}}`,
    original,
  )
}

/** Its inner sites stand behind its parenthesis. */
const opened = ({ inner }: Site): Site[] => inner.map((site) => ({ ...site, isFirst: false }))

const alternatives = ({ mutants }: Site) =>
  mutants.map(({ id, after }) => `${SWITCH}(${id})?(${after}):`).join('')
