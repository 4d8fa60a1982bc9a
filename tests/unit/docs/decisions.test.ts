import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const FOLDER = path.join(ROOT, 'docs/decisions')

const decisions = readdirSync(FOLDER)
  .sort()
  .map((name) => ({ name, text: readFileSync(path.join(FOLDER, name), 'utf8') }))

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, it]) => it)

test('decisions: numbers follow each other and are those of the titles', () => {
  for (const [index, { name, text }] of decisions.entries()) {
    const number = String(index + 1).padStart(4, '0')
    expect(name).toMatch(new RegExp(`^${number}-[a-z0-9-]+\\.md$`))
    expect(text).toMatch(new RegExp(`^# ${number} · .+\n\n\\d{4}-\\d\\d-\\d\\d · in force`))
  }
})

test('decisions: every file and folder that they name exists', () => {
  const missing = decisions.flatMap(({ name, text }) =>
    matches(text, /`((?:app|server|tests|docs)\/[^`\s]+)`/g)
      .filter((named) => !existsSync(path.join(ROOT, named ?? '')))
      .map((named) => `${name}: ${named}`),
  )
  expect(missing).toEqual([])
})

test('documents: every link to a decision leads to a file', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'docs/security.md', 'docs/operations.md']
  const missing = documents.flatMap((document) =>
    matches(readFileSync(path.join(ROOT, document), 'utf8'), /decisions\/([\w-]+\.md)/g)
      .filter((named) => !existsSync(path.join(FOLDER, named ?? '')))
      .map((named) => `${document}: ${named}`),
  )
  expect(missing).toEqual([])
})
