import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { LISTS, rowsOf, verdictCodesPage } from './verdict-codes-page.ts'

test('docs/verdict-codes.md: lists every code with its sentence', async () => {
  const page = path.join(import.meta.dirname, '../../../docs/verdict-codes.md')
  await expect(verdictCodesPage()).toMatchFileSnapshot(page)
})

test('verdict codes: the page has each code of the words, once', () => {
  const listed = LISTS.flatMap(rowsOf).map(({ code }) => code)
  const worded = LISTS.flatMap(({ sentences }) => Object.keys(sentences))
  expect(listed.toSorted()).toEqual(worded.toSorted())
  expect(new Set(listed).size).toBe(listed.length)
})

test('verdict codes: every sentence is one that a person can read', () => {
  for (const { code, sentence } of LISTS.flatMap(rowsOf)) {
    expect(sentence, code).toMatch(/^\p{Lu}.*\.$/u)
    expect(sentence, code).not.toMatch(/undefined|null|NaN|Invalid|\[object/)
  }
})

/** The tests of judges: of the verifier, and of what stores or prints its reports. */
const TESTS = ['../domain', '../../integration']
  .flatMap((folder) =>
    readdirSync(path.join(import.meta.dirname, folder), { recursive: true, withFileTypes: true }),
  )
  .filter((entry) => entry.isFile() && /\.test\.ts$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name))

/* Reads the tests and does not run them: a code may be named by a test and still have no file that causes it. */
test('verdict codes: each one is named by a test of a judge', () => {
  const sources = TESTS.map((file) => readFileSync(file, 'utf8')).join('\n')
  const unnamed = LISTS.flatMap(rowsOf).filter(({ code }) => !sources.includes(`'${code}'`))
  expect(unnamed.map(({ code }) => code)).toEqual([])
})
