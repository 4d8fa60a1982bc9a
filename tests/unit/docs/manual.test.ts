import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')
const close = (text: string) => text.replace(/\s+/g, ' ')
const withoutTags = (text: string) => close(text.replace(/<[^>]*>|\{' '\}/g, ' '))

function sourcesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(path.join(root, folder, name), 'utf8'))
    .flatMap((source) => [close(source), withoutTags(source)])
}

test('manual: every quoted label is on a screen', () => {
  const manual = readFileSync(path.join(root, 'docs/manual.md'), 'utf8')
  const names = [...manual.matchAll(/“([^”]+)”/g)].map(([, name]) => close(name ?? ''))
  expect(names.length).toBeGreaterThan(60)
  const screens = ['app', 'server/words', 'server/domain'].flatMap(sourcesIn).join('\n')
  const unknown = names.filter((name) => name !== 'comillas' && !screens.includes(name))
  expect(unknown).toEqual([])
})
