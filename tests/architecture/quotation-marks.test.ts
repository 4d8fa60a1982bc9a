import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, sourceOf, sourcesIn } from './sources.ts'

/** They read what others wrote, or name the glyphs of a font. */
const READS_THEM = [
  'server/domain/pdf/font-text.ts',
  'server/domain/pdf/text-string.ts',
  'server/domain/text/shown-text.ts',
]

test('quotation marks: “…” as in Mexican texts, no guillemets', () => {
  const sources = ['app', 'server'].flatMap(sourcesIn).filter((file) => !READS_THEM.includes(file))
  expect(sources.filter((file) => /[«»]/.test(sourceOf(file)))).toEqual([])
  expect(readFileSync(path.join(ROOT, 'docs/manual.md'), 'utf8')).not.toMatch(/[«»]/)
})
