import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { asvsPage, ROOT, titledTests } from './page.ts'
import { REQUIREMENTS } from './requirements.ts'

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const withId = titledTests()

test('every requirement stands in the table once', () => {
  const ids = REQUIREMENTS.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(190)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  for (const id of ids) expect(id).toMatch(/^V\d+\.\d+\.\d+$/)
})

test('what is called tested has a test with its id, and every id of a test is in the table', () => {
  expect(withId.length).toBeGreaterThan(100)
  const named = new Set(withId.map(({ id }) => id))
  const wanting = REQUIREMENTS.filter(({ how, id }) => how === 'tested' && !named.has(id))
  expect(wanting.map(({ id }) => id)).toEqual([])
  // A deviation may have a test that holds it to what it says.
  const known = REQUIREMENTS.filter(({ how }) => ['tested', 'deviation'].includes(how))
  const ids = new Set(known.map(({ id }) => id))
  expect([...named].filter((id) => !ids.has(id))).toEqual([])
})

test('every test of the suite names a requirement', () => {
  for (const { file } of withId) {
    const own = file.endsWith('requirements.test.ts')
      ? []
      : read(file).match(/^\s*test\(\s*$|^\s*test\(\s*['`](?!V\d|\$\{id\})/gm)
    expect([file, (own ?? []).filter((line) => line.trim() !== 'test(')]).toEqual([file, []])
  }
})

test('what is proven elsewhere is proven there', () => {
  for (const row of REQUIREMENTS) {
    if (row.how !== 'elsewhere') continue
    expect(row.proofs.length).toBeGreaterThan(0)
    for (const [file, title] of row.proofs) {
      expect([row.id, file, existsSync(path.join(ROOT, file))]).toEqual([row.id, file, true])
      const has = [`test('${title}`, `test("${title}`, `test(\`${title}`].some((one) =>
        read(file).includes(one),
      )
      expect([row.id, title, has]).toEqual([row.id, title, true])
    }
  }
})

test('what is documented stands there', () => {
  for (const row of REQUIREMENTS)
    if (row.how === 'documented')
      expect([row.id, read(row.file).includes(row.says)]).toEqual([row.id, true])
})

test('who deviates says why', () => {
  for (const row of REQUIREMENTS)
    if (row.how === 'deviation' || row.how === 'not-applicable')
      expect([row.id, row.reason.length > 10]).toEqual([row.id, true])
})

test('the page has the rows of the table', () => {
  expect(read('docs/asvs.md')).toBe(asvsPage(() => 'passed'))
})
