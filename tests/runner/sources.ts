import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { JUDGES, type Judge } from '#tests/support/machine.ts'
import { ROOT } from './stages.ts'

const IMPORT = /(?:from|import|import\()\s*['"](#tests\/[^'"]+|\.{1,2}\/[^'"]+)['"]/g

/** The programs that these tests, or the test modules that they import, name. */
export function judgesNamedBy(files: readonly string[]): Judge[] {
  const sources = sourcesReachedFrom(files).values().toArray()
  const judges = Object.keys(JUDGES) as Judge[]
  return judges.filter((judge) => sources.some((source) => source.includes(`'${judge}'`)))
}

/** Of the tests themselves, their support included: by path from the root. */
function sourcesReachedFrom(files: readonly string[]): Map<string, string> {
  const sources = new Map<string, string>()
  const waiting = [...files]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (sources.has(file) || file === 'tests/support/machine.ts') continue
    const full = path.join(ROOT, file)
    if (!file.startsWith('tests/') || !existsSync(full)) continue
    const source = readFileSync(full, 'utf8')
    sources.set(file, source)
    for (const [, target = ''] of source.matchAll(IMPORT))
      waiting.push(target.startsWith('#') ? target.slice(1) : path.join(path.dirname(file), target))
  }
  return sources
}
