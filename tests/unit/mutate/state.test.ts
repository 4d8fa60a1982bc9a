import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  addEntry,
  beginState,
  doneIn,
  knownOf,
  postponedIn,
  readEntries,
} from '#tests/mutate/state.ts'

function aPlace(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-mutate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return path.join(folder, 'state.jsonl')
}

test('state: survives a process that was killed while it wrote', () => {
  const place = aPlace()
  addEntry(place, { kind: 'killed', key: 'one', by: 'a test' })
  appendFileSync(place, '\n{"kind":"killed","ke')
  addEntry(place, { kind: 'survived', key: 'two', file: 'a.test.ts', ms: 5 })
  addEntry(place, { kind: 'survived', key: 'two', file: 'b.test.ts', ms: 6 })
  const { killed, survived } = knownOf(readEntries(place))
  expect([...killed]).toEqual([['one', 'a test']])
  expect(survived.get('two')).toEqual({ files: new Set(['a.test.ts', 'b.test.ts']), ms: 11 })
})

describe('state: a test file is done for a mutant', () => {
  const mutant = (key: string, file = 'a.ts') => ({ key, file })

  test('after it has run for the source, unless the mutant had been given up', () => {
    const place = aPlace()
    const sources = ['a.ts']
    addEntry(place, { kind: 'done', file: 'a.test.ts', sources, givenUp: ['given up'] })
    const isDone = doneIn(readEntries(place))
    expect(isDone('a.test.ts', mutant('tried'))).toBe(true)
    expect(isDone('a.test.ts', mutant('given up'))).toBe(false)
    expect(isDone('a.test.ts', mutant('elsewhere', 'b.ts'))).toBe(false)
    expect(isDone('b.test.ts', mutant('tried'))).toBe(false)
  })

  test('unless its tests were put off, until they have run', () => {
    const place = aPlace()
    const done = { kind: 'done', file: 'a.test.ts', sources: ['a.ts'], givenUp: [] } as const
    addEntry(place, { ...done, postponed: ['slow'] })
    const before = readEntries(place)
    expect(doneIn(before)('a.test.ts', mutant('slow'))).toBe(false)
    expect(doneIn(before)('a.test.ts', mutant('quick'))).toBe(true)
    expect(postponedIn(before)('a.test.ts', mutant('slow'))).toBe(true)
    expect(postponedIn(before)('a.test.ts', mutant('quick'))).toBe(false)
    expect(postponedIn(before)('b.test.ts', mutant('slow'))).toBe(false)
    const survived = { kind: 'survived', key: 'slow', file: 'a.test.ts', ms: 5 } as const
    addEntry(place, { ...survived, isPartial: true })
    expect(doneIn(readEntries(place))('a.test.ts', mutant('slow'))).toBe(false)
    addEntry(place, survived)
    addEntry(place, done)
    expect(knownOf(readEntries(place)).survived.get('slow')?.ms).toBe(10)
    expect(doneIn(readEntries(place))('a.test.ts', mutant('slow'))).toBe(true)
  })

  test('after its tests passed with the mutant, even if the run was interrupted then', () => {
    const place = aPlace()
    addEntry(place, { kind: 'survived', key: 'tried', file: 'a.test.ts', ms: 5 })
    const isDone = doneIn(readEntries(place))
    expect(isDone('a.test.ts', mutant('tried'))).toBe(true)
    expect(isDone('a.test.ts', mutant('next'))).toBe(false)
  })
})

test('state: after a change of the sources only what was noticed is kept', () => {
  const place = aPlace()
  addEntry(place, { kind: 'begun', sources: 'of yesterday' })
  addEntry(place, { kind: 'killed', key: 'one', by: 'a test' })
  addEntry(place, { kind: 'survived', key: 'two', file: 'a.test.ts', ms: 5 })
  addEntry(place, { kind: 'done', file: 'a.test.ts', sources: ['a.ts'], givenUp: [] })
  beginState(place)
  expect(readEntries(place).map(({ kind }) => kind)).toEqual(['begun', 'killed'])
  addEntry(place, { kind: 'survived', key: 'two', file: 'a.test.ts', ms: 5 })
  beginState(place)
  expect(readEntries(place).map(({ kind }) => kind)).toEqual(['begun', 'killed', 'survived'])
})
