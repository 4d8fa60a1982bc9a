import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { listTestFiles, type Suite, selectTests } from '#tests/runner/selection.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const ALL = listTestFiles(ROOT)
const from = (working: string) => ({ root: ROOT, working: path.join(ROOT, working) })
const chosen = (args: string[], working = '') =>
  selectTests(ALL, args, from(working)).files.map(({ file }) => file)

const SELF = 'tests/unit/runner/selection.test.ts'

test('suites: every test file is in one, by its place or its name', () => {
  const suiteOf = (file: string) => ALL.find((one) => one.file === file)?.suite
  expect(suiteOf(SELF)).toBe('unit')
  expect(suiteOf('tests/unit/fuzz/fuzz.exhaustive.test.ts')).toBe('exhaustive')
  expect(suiteOf('tests/unit/domain/pdf/published.test.ts')).toBe('published')
  expect(suiteOf('tests/architecture.test.ts')).toBe('architecture')
  expect(suiteOf('tests/security/requirements.test.ts')).toBe('security')
  expect(suiteOf('tests/security/browser.scripts.spec.ts')).toBe('security')
  const counted = new Set(ALL.map(({ suite }) => suite))
  expect(counted.size).toBe(8)
})

test.each<[Suite, RegExp]>([
  ['unit', /^tests\/unit\/.*\.test\.ts$/],
  ['integration', /^tests\/integration\/.*\.test\.ts$/],
  ['security', /^tests\/security\/.*\.(test|spec)\.ts$/],
  ['e2e', /^tests\/e2e\/.*\.spec\.ts$/],
  ['published', /published\.test\.ts$/],
])('%s: selects the files of that suite and no other', (suite, pattern) => {
  const files = chosen([suite])
  expect(files.length).toBeGreaterThan(3)
  expect(files.filter((file) => !pattern.test(file))).toEqual([])
  expect(files).toEqual(ALL.filter((one) => one.suite === suite).map(({ file }) => file))
})

describe('argument', () => {
  test.each([
    ['a path from the root', SELF, ''],
    ['a path from where the caller is', 'runner/selection.test.ts', 'tests/unit'],
    ['a path from the root, wherever the caller is', SELF, 'server/domain'],
    ['a full path', path.join(ROOT, SELF), 'server'],
    ['a path with ./', './selection.test.ts', 'tests/unit/runner'],
    ['a part of a path, in any case', 'Runner/SELECTION', ''],
    ['a glob over the whole path', 'tests/unit/runner/sel*.test.ts', ''],
    ['a glob over the end of the path', 'runner/select*.ts', ''],
  ])('%s: selects that file', (_, arg, working) => {
    expect(chosen([arg], working)).toEqual([SELF])
  })

  test('a folder: selects what lies in it, however deep', () => {
    const files = chosen(['tests/unit/domain'])
    expect(files).toContain('tests/unit/domain/pdf/published.test.ts')
    expect(files.every((file) => file.startsWith('tests/unit/domain/'))).toBe(true)
  })

  test('a folder without tests: is taken for a part of a path', () => {
    expect(chosen(['docs'])).toContain('tests/unit/docs/manual.test.ts')
  })

  test('several: select all that any of them does, each file once', () => {
    const files = chosen([SELF, 'selection.test', 'tests/architecture.test.ts'])
    expect(files).toEqual(['tests/architecture.test.ts', SELF])
  })

  test('none: selects everything', () => {
    expect(chosen([])).toEqual(ALL.map(({ file }) => file))
  })

  test('a pattern that matches nothing: is named, also beside others that match', () => {
    const { files, unmatched } = selectTests(
      ALL,
      [SELF, 'no-such-thing', 'server/main.ts'],
      from(''),
    )
    expect(files.map(({ file }) => file)).toEqual([SELF])
    expect(unmatched).toEqual(['no-such-thing', 'server/main.ts'])
  })
})
