import { expect, test } from 'vitest'
import { sourceOf, sourcesIn } from './sources.ts'

const files = ['app', 'server', 'tests'].flatMap(sourcesIn)

/** The ground, and its like for rooms that run in the browser and take only types from the ground. */
const MAKERS = ['server/domain/asn1/der-time.ts', 'server/domain/time.ts']

test('instants: only the modules of time cast a number to an instant', () => {
  const casting = files.filter((file) => /\bas Instant\b/.test(sourceOf(file)))
  const makers = casting.filter((file) => !file.startsWith('tests/architecture/'))
  expect(makers.toSorted()).toEqual(MAKERS)
})

test('object identifiers: the table alone writes them in numbers', () => {
  const OID = /['"]\d(?:\.\d+){3,}['"]/
  const writing = files.filter((file) => !file.startsWith('tests/') && OID.test(sourceOf(file)))
  expect(writing).toEqual(['server/domain/asn1/object-identifiers.ts'])
})
