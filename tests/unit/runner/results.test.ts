import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clearResults } from '#tests/runner/results.ts'

test('results: a run of the tests removes those of the last one, not the states of longer runs', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-results-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const place = (name: string) => path.join(folder, name)
  for (const name of ['traces', 'campaign', 'mutate']) mkdirSync(place(name))
  const files = ['vitest.json', 'traces/one.zip', 'campaign/killed.jsonl', 'mutate/seed-1.jsonl']
  for (const name of files) writeFileSync(place(name), '')

  clearResults(folder)

  expect(files.filter((name) => existsSync(place(name)))).toEqual([
    'campaign/killed.jsonl',
    'mutate/seed-1.jsonl',
  ])
})

test('results: the first run finds an empty folder', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-results-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  clearResults(path.join(folder, 'new'))
  expect(existsSync(path.join(folder, 'new'))).toBe(true)
})
