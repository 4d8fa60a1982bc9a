import { describe, expect, test } from 'vitest'
import { nearestFirst, nextTests } from '#tests/mutate/order.ts'
import { reaching } from '#tests/mutate/reach.ts'

const far = { test: 'far', distances: new Map([['a', 3]]) }
const broad = {
  test: 'broad',
  distances: new Map([
    ['a', 2],
    ['b', 1],
  ]),
}
const own = {
  test: 'own',
  distances: new Map([
    ['a', 2],
    ['b', 3],
  ]),
}

test('reaching: counts the imports between a test and a source', () => {
  const sources = ['server/steps/judgements/once-more.ts', 'server/steps/judgements/judge-file.ts']
  const found = reaching(sources).find(({ test }) => test === 'tests/unit/steps/judge-file.test.ts')
  expect([...(found?.distances ?? [])]).toEqual([['server/steps/judgements/judge-file.ts', 1]])
})

describe('order of the tests', () => {
  test('fewer imports come first, then the test that reaches fewer sources so near', () => {
    const order = nearestFirst([far, broad, own])
    expect(order.get('a')).toEqual(['own', 'broad', 'far'])
    expect(order.get('b')).toEqual(['broad', 'own'])
  })

  test('the test with the name of the source, or a word of it, comes first, then unit tests', () => {
    const from = (test: string, distance: number) => ({
      test,
      distances: new Map([['server/domain/audit/topic.ts', distance]]),
    })
    const order = nearestFirst([
      from('tests/integration/pages.test.ts', 1),
      from('tests/unit/topics.test.ts', 2),
      from('tests/unit/all.test.ts', 1),
      from('tests/unit/far.test.ts', 9),
      from('tests/integration/every-topic.test.ts', 4),
      from('tests/integration/topic.test.ts', 3),
    ])
    expect(order.get('server/domain/audit/topic.ts')).toEqual([
      'tests/integration/topic.test.ts',
      'tests/unit/topics.test.ts',
      'tests/integration/every-topic.test.ts',
      'tests/unit/all.test.ts',
      'tests/unit/far.test.ts',
      'tests/integration/pages.test.ts',
    ])
  })

  const tests = Array.from({ length: 9 }, (_, at) => `test ${at}`)
  const order = new Map([
    ['a', tests],
    ['b', ['test 8', 'test 0']],
  ])

  const never = () => false

  test('a source begins with its three nearest tests', () => {
    expect(nextTests(order, ['a', 'b'], never, never)).toEqual([
      { test: 'test 0', sources: ['a', 'b'] },
      { test: 'test 8', sources: ['b'] },
      { test: 'test 1', sources: ['a'] },
      { test: 'test 2', sources: ['a'] },
    ])
  })

  test('a source goes on with as many tests as have run', () => {
    const done = new Set(tests.slice(0, 4))
    const next = nextTests(order, ['a'], (test) => done.has(test), never)
    expect(next.map(({ test }) => test)).toEqual(tests.slice(4, 8))
  })

  test('a source of which fewer tests have run comes first', () => {
    const done = new Set(['test 0', 'test 1', 'test 2'])
    const isDone = (test: string, source: string) => source === 'a' && done.has(test)
    expect(nextTests(order, ['a', 'b'], isDone, never).map(({ test }) => test)).toEqual([
      ...['test 8', 'test 0', 'test 3', 'test 4', 'test 5'],
    ])
  })

  test('the nearest test of a source comes before farther ones of others, however many far tests have run', () => {
    const done = new Set(['a test 5', 'a test 6', 'b test 8'])
    const isDone = (test: string, source: string) => done.has(`${source} ${test}`)
    const [first, second] = nextTests(order, ['b', 'a'], isDone, never)
    expect([first?.test, second?.test]).toEqual(['test 0', 'test 1'])
    expect(first?.sources).toEqual(['a', 'b'])
  })

  test('tests that take long for a source come after its others', () => {
    const isSlow = (test: string, source: string) => source === 'b' && test === 'test 8'
    expect(nextTests(order, ['b'], never, isSlow).map(({ test }) => test)).toEqual([
      ...['test 0', 'test 8'],
    ])
  })

  test('a source whose tests have all run asks for none', () => {
    expect(nextTests(order, ['a', 'b'], () => true, never)).toEqual([])
  })
})
