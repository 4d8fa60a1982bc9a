import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addEntry, beginState, doneIn, knownOf, readEntries } from '#tests/mutate/state.ts'

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
  addEntry(place, { kind: 'done', part: 'first', file: 'a.test.ts' })
  const { killed, survived } = knownOf(readEntries(place))
  expect([...killed]).toEqual([['one', 'a test']])
  expect(survived.get('two')).toEqual({ files: new Set(['a.test.ts', 'b.test.ts']), ms: 11 })
  expect([...doneIn(readEntries(place), 'first')]).toEqual(['a.test.ts'])
  expect([...doneIn(readEntries(place), 'second')]).toEqual([])
})

test('state: after a change of the sources only what was noticed is kept', () => {
  const place = aPlace()
  addEntry(place, { kind: 'begun', sources: 'of yesterday' })
  addEntry(place, { kind: 'killed', key: 'one', by: 'a test' })
  addEntry(place, { kind: 'survived', key: 'two', file: 'a.test.ts', ms: 5 })
  addEntry(place, { kind: 'done', part: 'first', file: 'a.test.ts' })
  beginState(place)
  expect(readEntries(place).map(({ kind }) => kind)).toEqual(['begun', 'killed'])
  addEntry(place, { kind: 'survived', key: 'two', file: 'a.test.ts', ms: 5 })
  beginState(place)
  expect(readEntries(place).map(({ kind }) => kind)).toEqual(['begun', 'killed', 'survived'])
})
