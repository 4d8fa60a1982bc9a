import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './sources.ts'

/** Most files that stand directly in one folder: what one can look over. */
const MOST_FILES = 40

/** Grows by one file with each change of the schema, and is read by number. */
const MIGRATIONS = path.join(ROOT, 'server/db/migrations')

test('folders: none holds more than 40 files', () => {
  const held = new Map<string, number>()
  for (const top of ['app', 'server', 'tests'])
    for (const entry of readdirSync(path.join(ROOT, top), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) held.set(entry.parentPath, (held.get(entry.parentPath) ?? 0) + 1)
  const full = [...held].filter(([folder, count]) => folder !== MIGRATIONS && count > MOST_FILES)
  expect(held.size).toBeGreaterThan(0)
  expect(full.map(([folder, count]) => `${path.relative(ROOT, folder)}: ${count}`)).toEqual([])
})
