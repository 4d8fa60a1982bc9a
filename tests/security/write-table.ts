/*
 * Writes docs/asvs.md from the table and the results of the last whole run (`npm test`). Fails if a test did not
 * run or did not pass: the page reports observed results only.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { asvsPage, ROOT } from './page.ts'

type Suite = {
  title: string
  file: string
  specs?: { title: string; ok: boolean; file: string }[]
  suites?: Suite[]
}

const results = process.argv[2] ?? path.join(ROOT, 'test-results')
const passed = new Map<string, boolean[]>()
readPlaywright(path.join(results, 'playwright.json'))
readVitest(path.join(results, 'vitest.json'))

const missing: string[] = []
const page = asvsPage((file, title) => {
  const seen = [...passed]
    .filter(([name]) => name.startsWith(`${file} › ${title}`))
    .flatMap(([, all]) => all)
  const result = seen.length === 0 ? 'did not run' : seen.every(Boolean) ? 'passed' : 'failed'
  if (result !== 'passed') missing.push(`${result}: ${file} › ${title}`)
  return result
})
if (missing.length > 0) {
  console.error(missing.join('\n'))
  process.exitCode = 1
} else writeFileSync(path.join(ROOT, 'docs/asvs.md'), page)

function add(file: string, title: string, isGood: boolean): void {
  const name = `${path.relative(ROOT, file)} › ${title}`
  passed.set(name, [...(passed.get(name) ?? []), isGood])
}

function readPlaywright(file: string): void {
  if (!existsSync(file)) return
  const { config, suites } = JSON.parse(readFileSync(file, 'utf8')) as {
    config: { rootDir: string }
    suites: Suite[]
  }
  const walk = (suite: Suite) => {
    for (const { title, ok, file } of suite.specs ?? [])
      add(path.resolve(config.rootDir, file), title, ok)
    for (const one of suite.suites ?? []) walk(one)
  }
  for (const suite of suites) walk(suite)
}

function readVitest(file: string): void {
  if (!existsSync(file)) return
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
    testResults: { name: string; assertionResults: { title: string; status: string }[] }[]
  }
  for (const { name, assertionResults } of testResults)
    for (const { title, status } of assertionResults) add(name, title, status === 'passed')
}
