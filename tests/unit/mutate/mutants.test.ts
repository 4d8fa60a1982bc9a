import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { instrumented, instrumentedFile, SWITCH } from '#tests/mutate/instrument.ts'
import { mutantsOf } from '#tests/mutate/mutants.ts'
import { programOf } from '#tests/mutate/syntax.ts'
import { chosenMutants } from '#tests/mutate/targets.ts'
import { ROOT } from '#tests/runner/stages.ts'

const changesOf = (source: string) =>
  mutantsOf('a.ts', source).map(({ before, after }) => `${before} → ${after}`)

describe('mutants', () => {
  test.each([
    ['a < b', ['a < b → a <= b', 'a < b → a >= b']],
    ['a === 1', ['a === 1 → a !== 1']],
    ['a && b', ['a && b → (a) || (b)']],
    ['a ?? b', ['a ?? b → (a) && (b)']],
    ['a - b', ['a - b → a + b']],
    ["a + 'b'", []],
    ['!a', ['!a → a']],
    ['[a, b]', ['[a, b] → [b]', '[a, b] → [a]']],
    ['a.some(b)', ['a.some(b) → a.every(b)']],
    ['a.filter(b)', ['a.filter(b) → a']],
    ['a?.b.filter(c)', []],
    ['a.toString(b)', []],
    ["'text'", []],
    ["{ kind: 'done', note: 'text' }", ["'done' → ''"]],
    ['() => a > b', ['a > b → a >= b', 'a > b → a <= b', 'a > b → true', 'a > b → false']],
  ])('%s', (expression, expected) => {
    expect(changesOf(`const value = (${expression})`)).toEqual(expected)
  })

  test('statements: each effect and each refusal may be missing', () => {
    const source = "function f() {\n  g()\n  if (a) throw new Problem('no', 'text')\n}"
    expect(changesOf(source)).toEqual([
      'g() → ',
      'a → true',
      'a → false',
      "throw new Problem('no', 'text') → ",
      "'no' → ''",
    ])
  })

  test('types, imports and property names have none', () => {
    const source =
      "import { a } from 'b'\ntype T = 'x' | true\nconst c = { true: d } as { e: true }"
    expect(changesOf(source)).toEqual([])
  })

  test('key: the same when lines are added above, different for the same change elsewhere', () => {
    const source = 'function f() { return a < b }\nfunction g() { return a < b }'
    const keys = mutantsOf('a.ts', source).map(({ key }) => key)
    expect(mutantsOf('a.ts', `const z = 1\n${source}`).map(({ key }) => key)).toEqual(keys)
    expect(new Set(keys).size).toBe(keys.length)
  })
})

test('every mutant of the sources leaves its file readable', () => {
  const files = Map.groupBy(chosenMutants(1, Number.MAX_SAFE_INTEGER), ({ file }) => file)
  expect(files.size).toBeGreaterThan(100)
  for (const [file, mutants] of files) {
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    const numbered = mutants.map((mutant, at) => ({ ...mutant, id: at + 1 }))
    expect(() => instrumentedFile(file, source, numbered), file).not.toThrow()
  }
})

describe('instrumented', () => {
  /** The result of the source, whose last expression is given to `done`. */
  function resultOf(source: string, on: number): unknown {
    const mutants = mutantsOf('a.ts', source).map((mutant, at) => ({ ...mutant, id: at + 1 }))
    const text = instrumented(source, mutants)
    programOf('a.ts', text)
    const result: { value?: unknown } = {}
    new Function(SWITCH, 'done', text)(
      (id: number) => id === on,
      (value: unknown) => {
        result.value = value
      },
    )
    return result.value
  }

  test('without a mutant: does what the source does', () => {
    expect(resultOf('const a = 1\ndone(a < 2 && [1, 2].some((b) => b > 1))', 0)).toBe(true)
  })

  test('with one switched on: does only that one', () => {
    const source = 'done([1 < 1, 2 < 2])'
    const numbers = mutantsOf('a.ts', source).map(({ before, after }) => `${before} → ${after}`)
    const on = numbers.indexOf('2 < 2 → 2 <= 2') + 1
    expect(resultOf(source, on)).toEqual([false, true])
  })

  test('statement that begins with a changed expression: continues no earlier line', () => {
    const source =
      'const a = () => 1\nlet b = 0\nb ||= a()\n;[b].some((c) => done(c))\na() && done(b)'
    expect(resultOf(source, 0)).toBe(1)
    const only = mutantsOf('a.ts', source)
      .map((mutant, at) => ({ ...mutant, id: at + 1 }))
      .filter(({ before }) => before === 'a() && done(b)')
      .filter(({ isStatement }) => !isStatement)
    const text = instrumented(source, only)
    expect(text).toContain(`;(${SWITCH}(`)
    programOf('a.ts', text)
  })
})
