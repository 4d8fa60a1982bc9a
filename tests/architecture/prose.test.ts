import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './sources.ts'

/*
 * Plain English: a sentence names who acts (user, signer, administrator, client) and uses the verb of the field.
 * Read are the comments of code, the pages of docs that are English, and the names of tests.
 */

const RIDDLE =
  /\b(?:whoever|whomever|somebody|nobody|anybody|whichever|whom|coming in|happening)\b/gi
/** A test's name begins with its subject. */
const RIDDLE_TITLE = /^(?:what|whoever|where|who)\b/i

/** The manual is Spanish; this test names the words. */
const NOT_READ = ['docs/manual.md', 'tests/architecture/prose.test.ts']
const CODE = /\.(?:ts|tsx|mjs|js|css)$/
const TEST = /\.(?:test|spec)\.ts$/

const ROOMS = ['app', 'server', 'tests', 'docs']

type Passage = { at: number; text: string }

const filesIn = (folder: string, recursive: boolean) =>
  readdirSync(path.join(ROOT, folder), { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))

const read = [...filesIn('.', false), ...ROOMS.flatMap((folder) => filesIn(folder, true))]
  .filter((file) => (CODE.test(file) || file.endsWith('.md')) && !NOT_READ.includes(file))
  .toSorted()

/** Strings are stepped over, so that an address in one is no comment. */
const COMMENT_OR_STRING =
  /(\/\*[\s\S]*?\*\/|(?<![:\w])\/\/[^\n]*)|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g
const TITLE = /^\s*(?:test|describe)(?:\.\w+)*\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/gm
/** `test.each([…])('name', …)` and what calls it so. */
const TITLE_OF_TABLE = /^\s*\]?\)\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/gm

function titlesOf(source: string): Passage[] {
  return [TITLE, TITLE_OF_TABLE].flatMap((pattern) =>
    [...source.matchAll(pattern)].map(({ index, 0: whole, 2: text = '' }) => ({
      at: index + whole.indexOf(text),
      text,
    })),
  )
}

function commentsOf(source: string): Passage[] {
  return [...source.matchAll(COMMENT_OR_STRING)]
    .filter(([, comment]) => comment !== undefined)
    .map(({ index, 0: text }) => ({ at: index, text }))
}

function faultsIn(file: string): string[] {
  const source = readFileSync(path.join(ROOT, file), 'utf8')
  const titles = TEST.test(file) ? titlesOf(source) : []
  const passages = CODE.test(file) ? [...commentsOf(source), ...titles] : [{ at: 0, text: source }]
  const lineAt = (at: number) => source.slice(0, at).split('\n').length
  const riddles = passages.flatMap(({ at, text }) =>
    [...text.matchAll(RIDDLE)].map(
      ({ index, 0: word }) => `${file}:${lineAt(at + index)}: ${word}`,
    ),
  )
  const begun = titles
    .filter(({ text }) => RIDDLE_TITLE.test(text))
    .map(({ at, text }) => `${file}:${lineAt(at)}: "${text}"`)
  return [...riddles, ...begun]
}

test('plain English: comments, docs and names of tests hold no riddle', () => {
  expect(read.length).toBeGreaterThan(0)
  expect(read.flatMap(faultsIn)).toEqual([])
})
