import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Requirement } from './requirements/requirement.ts'
import { CHAPTERS } from './requirements.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** A test of this folder that names the requirement it is for. */
export type TitledTest = { id: string; file: string; title: string }

/** The tests of this folder whose title begins with an id, read from the sources. */
export function titledTests(): TitledTest[] {
  const files = readdirSync(import.meta.dirname)
    .filter((name) => /\.(?:spec|test)\.ts$/.test(name))
    .toSorted()
  return files.flatMap((file) => {
    const source = readFileSync(path.join(import.meta.dirname, file), 'utf8')
    // The title is one literal, or id and title are arguments of a test factory, or the id is in a table of cases.
    const found = source.matchAll(
      /(?:\btest|nowhere)\(\s*'(V\d+\.\d+\.\d+)(?: ([^']*)|',\s*'([^']*))'|\['(V\d+\.\d+\.\d+)',/g,
    )
    return Array.from(found, ([, id, title, other, listed]) => ({
      id: id ?? listed ?? '',
      file: `tests/security/${file}`,
      title: title ?? other ?? '',
    }))
  })
}

/** `passed`, or another result of the test. */
export type ResultOf = (file: string, title: string) => string

/** The page docs/asvs.md. */
export function asvsPage(resultOf: ResultOf): string {
  const tests = titledTests()
  const chapters = CHAPTERS.map(([title, rows]) => {
    const lines = rows.map((row) => lineOf(row, tests, resultOf))
    const head = '| id | level | requirement | how it is met | result |\n|---|---|---|---|---|'
    return `## ${title}\n\n${head}\n${lines.join('\n')}`
  })
  return `${HEAD}\n\n${chapters.join('\n\n')}\n`
}

const HEAD = `# OWASP ASVS 5.0.0

The requirements that Rúbrica is held to, in our own words: level 2 everywhere, level 3 for authentication, sessions, cryptography and the log.
The tests ask the production build as a stranger would, on an office that was activated for real use and that \`npm start\` serves; \`npm test\` runs them. After a whole run \`node tests/security/write-table.ts\` writes this page
from \`tests/security/requirements.ts\` and the results; a test compares the two.`

function lineOf(row: Requirement, tests: readonly TitledTest[], resultOf: ResultOf): string {
  const own = tests.filter(({ id }) => id === row.id)
  const ownFiles = [...new Set(own.map(({ file }) => file))]
  const proven = own.map(({ file, title }) => resultOf(file, `${row.id} ${title}`))
  const cells = [row.id, String(row.level), row.what, ...meansOf(row, ownFiles, proven, resultOf)]
  return `| ${cells.join(' | ')} |`
}

function meansOf(
  row: Requirement,
  files: readonly string[],
  proven: readonly string[],
  resultOf: ResultOf,
): [means: string, result: string] {
  switch (row.how) {
    case 'tested':
    case 'elsewhere': {
      const others = row.proofs.map(([file, title]) => `${link(file)}: ${title}`)
      const results = row.proofs.map(([file, title]) => resultOf(file, title))
      return [[...files.map(link), ...others].join('<br>'), together([...proven, ...results])]
    }
    case 'documented':
      return [link(row.file), 'documented']
    case 'deviation':
      return [[row.reason, ...files.map(link)].join('<br>'), 'deviation']
    case 'not-applicable':
      return [row.reason, 'does not apply']
  }
}

const together = (results: readonly string[]) => [...new Set(results)].toSorted().join(', ')
const link = (file: string) => `[${path.basename(file)}](../${file})`.replace('(../docs/', '(')

export { ROOT }
