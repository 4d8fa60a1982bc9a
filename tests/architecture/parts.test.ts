import { expect, test } from 'vitest'
import { importsOf, resolved, sourceOf, sourcesIn } from './sources.ts'

const FEATURES = 'server/features/'

/** The files of which others than use cases import a value. */
const called = new Set(
  [...sourcesIn('app'), ...sourcesIn('server'), ...sourcesIn('tests/support')]
    .filter((file) => !file.startsWith(FEATURES))
    .flatMap(importsOf)
    .filter(({ isType }) => !isType)
    .map(resolved),
)

test('features: parts of use cases take what they read of the System, not all of it', () => {
  const parts = sourcesIn(FEATURES).filter((file) => !called.has(file))
  expect(parts.length).toBeGreaterThan(0)
  const takesAll = parts.filter((file) => /: System\b(?!\[)/.test(sourceOf(file)))
  expect(takesAll).toEqual([])
})
