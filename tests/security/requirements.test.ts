import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { asvsPage, ROOT, titledTests } from './page.ts'
import { PRODUCTION } from './requirements/requirement.ts'
import { REQUIREMENTS } from './requirements.ts'

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const withId = titledTests()

test('requirements: each ASVS id is in the table once', () => {
  const ids = REQUIREMENTS.map(({ id }) => id)
  expect(ids).toHaveLength(230)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  for (const id of ids) expect(id).toMatch(/^V\d+\.\d+\.\d+$/)
})

test('requirements: every row marked tested has a test with its id, and every id of a test is in the table', () => {
  const named = new Set(withId.map(({ id }) => id))
  const wanting = REQUIREMENTS.filter(({ how, id }) => how === 'tested' && !named.has(id))
  expect(wanting.map(({ id }) => id)).toEqual([])
  // A deviation may have a test of its stated behaviour.
  const known = REQUIREMENTS.filter(({ how }) => ['tested', 'deviation'].includes(how))
  const ids = new Set(known.map(({ id }) => id))
  expect([...named].filter((id) => !ids.has(id))).toEqual([])
})

test('security tests: every title starts with an ASVS id', () => {
  const files = readdirSync(import.meta.dirname).filter(
    (name) => /\.(?:spec|test)\.ts$/.test(name) && name !== 'requirements.test.ts',
  )
  expect(files.map((name) => `tests/security/${name}`).toSorted()).toEqual(
    [...new Set(withId.map(({ file }) => file))].toSorted(),
  )
  for (const name of files) {
    const source = readFileSync(path.join(import.meta.dirname, name), 'utf8')
    const titles = [...source.matchAll(/^\s*test\(\s*([^\n]*)/gm)].map(([, title]) => title)
    const unnamed = titles.filter((title = '') => !/^['`](?:V\d+\.\d+\.\d+|\$\{id\}) /.test(title))
    expect([name, unnamed]).toEqual([name, []])
  }
})

test('requirements proven elsewhere: the cited tests exist', () => {
  for (const row of REQUIREMENTS) {
    if (row.how !== 'elsewhere' && row.how !== 'tested') continue
    expect(row.how === 'tested' || row.proofs.length > 0).toBe(true)
    for (const [file, title] of row.proofs) {
      expect([row.id, file, existsSync(path.join(ROOT, file))]).toEqual([row.id, file, true])
      const has = [`test('${title}`, `test("${title}`, `test(\`${title}`].some((one) =>
        read(file).includes(one),
      )
      expect([row.id, title, has]).toEqual([row.id, title, true])
    }
  }
})

test('requirements that cite documentation: the cited text exists', () => {
  for (const row of REQUIREMENTS)
    if (row.how === 'documented') {
      const { id, file, says } = row
      expect([id, says.length > 6, read(file).includes(says)]).toEqual([id, true, true])
      // A heading says nothing without a paragraph below it.
      if (says.startsWith('#'))
        expect([id, `\n${read(file)}`.split(`\n${says}\n\n`)[1]]).toEqual([
          id,
          expect.stringMatching(/^[^#\s]/),
        ])
    }
})

test('deviations: each one gives a reason', () => {
  for (const row of REQUIREMENTS)
    if (row.how === 'deviation' || row.how === 'not-applicable')
      expect([row.id, row.reason]).toEqual([
        row.id,
        expect.stringMatching(/^\p{Lu}\S*(?: \S+){3,}\.$/u),
      ])
})

test('requirements that do not apply: no source has what they are about', () => {
  for (const row of REQUIREMENTS) {
    if (row.how !== 'not-applicable') continue
    const { absent, below } = row.fact
    const sources = below.flatMap(sourcesBelow)
    expect([row.id, sources.length > 0]).toEqual([row.id, true])
    expect([row.id, sources.filter((file) => absent.test(read(file)))]).toEqual([row.id, []])
  }
})

test('requirements that do not apply: each fact is false as soon as a source has what it is about', () => {
  for (const row of REQUIREMENTS) {
    if (row.how !== 'not-applicable') continue
    const { absent, broken } = row.fact
    expect([row.id, broken.length > 2]).toEqual([row.id, true])
    for (const line of broken) {
      expect([row.id, line, absent.test(line)]).toEqual([row.id, line, true])
      expect([row.id, line, absent.test(`  const a = 1\n${line}\n`)]).toEqual([row.id, line, true])
    }
  }
})

test('requirements that do not apply: their facts are about every source that runs in production', () => {
  const ours = ['app', 'server']
    .flatMap(sourcesBelow)
    .filter((name) => !/^server\/dev\//.test(name))
  const known = new Set(PRODUCTION.flatMap(sourcesBelow))
  expect(ours.filter((name) => !known.has(name))).toEqual([])
})

/** Our sources below a folder, or the one file. */
function sourcesBelow(place: string): string[] {
  if (/\.(?:tsx?|json)$/.test(place)) return [place]
  return readdirSync(path.join(ROOT, place), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.join(place, name))
}

test('docs/asvs.md: matches the table', () => {
  expect(read('docs/asvs.md')).toBe(asvsPage(() => 'passed'))
})
