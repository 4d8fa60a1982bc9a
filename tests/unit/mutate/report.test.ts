import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mutantsOf } from '#tests/mutate/mutants.ts'
import { patienceWith } from '#tests/mutate/reasons.ts'
import { byFolder, figuresOf, outcomeOf } from '#tests/mutate/report.ts'
import { addEntry } from '#tests/mutate/state.ts'

test('outcome: a mutant that used up its time is given up, and survives only all tests', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-mutate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const state = path.join(folder, 'state.jsonl')
  const mutants = mutantsOf('a.ts', 'const a = () => [1, 2, 3, 4, 5]').map((mutant, at) => ({
    ...mutant,
    id: at + 1,
  }))
  const [seen = '', all = '', long = '', begun = '', never = ''] = mutants.map(({ key }) => key)
  const [near, far] = ['near.test.ts', 'far.test.ts']
  addEntry(state, { kind: 'killed', key: seen, by: near })
  for (const file of [near, far]) addEntry(state, { kind: 'survived', key: all, file, ms: 6 })
  addEntry(state, { kind: 'survived', key: long, file: near, ms: 11 })
  addEntry(state, { kind: 'survived', key: begun, file: near, ms: 9 })
  addEntry(state, { kind: 'done', file: near, sources: ['a.ts'], givenUp: [] })
  const share = { part: 'one', mutants, state, patience: 10, deadline: 0 }
  const tests = new Map([['a.ts', [near, far]]])
  const keysOf = (outcome: ReturnType<typeof outcomeOf>) =>
    Object.entries(outcome).map(([kind, found]) => [kind, found.map(({ key }) => key)])

  expect(Object.fromEntries(keysOf(outcomeOf([{ ...share, tests }])))).toEqual({
    ...{ killed: [seen], survived: [all], givenUp: [long] },
    ...{ unreached: [], untried: [begun, never] },
  })

  addEntry(state, { kind: 'done', file: far, sources: ['a.ts'], givenUp: [long] })
  addEntry(state, { kind: 'survived', key: begun, file: far, ms: 1 })
  expect(Object.fromEntries(keysOf(outcomeOf([{ ...share, tests }])))).toEqual({
    ...{ killed: [seen], survived: [all, begun], givenUp: [long] },
    ...{ unreached: [never], untried: [] },
  })
})

test('figures: each folder has its own, and what was not tried to the end counts as not noticed', () => {
  const mutantOf = (file: string) => {
    const [mutant] = mutantsOf(file, 'const a = () => [1]')
    return { ...mutant!, id: 1 }
  }
  const [guard, other, policy] = ['app/guards/a.ts', 'app/guards-of/a.ts', 'server/p/a.ts']
  const result = {
    killed: [guard, guard, policy].map(mutantOf),
    survived: [guard].map(mutantOf),
    givenUp: [],
    unreached: [other].map(mutantOf),
    untried: [guard].map(mutantOf),
  }
  const figures = byFolder(result, ['app/guards', 'server/p', 'server/none']).map((one) => [
    one.folder,
    figuresOf(one.result),
  ])
  expect(figures).toEqual([
    [
      'app/guards',
      '4 mutants, 2 killed (50.0 %), 1 survived, 0 given up, 0 not reached by a test, 1 not tried to the end',
    ],
    [
      'server/p',
      '1 mutants, 1 killed (100.0 %), 0 survived, 0 given up, 0 not reached by a test, 0 not tried to the end',
    ],
  ])
})

test('patience: a mutant with a reason is tried for a fifth of the time', () => {
  const patienceFor = patienceWith({ known: 'It is no mistake.' }, 10_000)
  expect(patienceFor('known')).toBe(2_000)
  expect(patienceFor('new')).toBe(10_000)
})
