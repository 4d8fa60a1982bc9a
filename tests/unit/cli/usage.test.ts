import { expect, test } from 'vitest'
import { readArguments, UsageError } from '#server/cli/usage.ts'

const OPTIONS = { at: { type: 'string' }, json: { type: 'boolean' } } as const

test('arguments: options and files', () => {
  const { values, positionals } = readArguments(['--json', 'a.pdf', '--at', '2026'], OPTIONS)
  expect({ ...values }).toEqual({ json: true, at: '2026' })
  expect(positionals).toEqual(['a.pdf'])
})

test.each([
  ['an unknown option', ['--jsno', 'a.pdf'], 'Este comando no tiene la opción --jsno.'],
  ['an unknown option with a value', ['--pin=1234'], 'Este comando no tiene la opción --pin.'],
  ['an unknown letter', ['-x'], 'Este comando no tiene la opción -x.'],
  ['a name of every object', ['--toString'], 'Este comando no tiene la opción --toString.'],
  ['a missing value', ['a.pdf', '--at'], 'A la opción --at le falta su valor.'],
  ['a needless value', ['--json=yes'], 'La opción --json no lleva valor.'],
  ['an option in place of a value', ['--at', '--json'], 'A la opción --at le falta su valor.'],
])('arguments: %s is named', (_, args, sentence) => {
  expect(() => readArguments(args, OPTIONS)).toThrow(UsageError)
  expect(() => readArguments(args, OPTIONS)).toThrow(sentence)
})
