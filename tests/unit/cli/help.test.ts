import { parseArgs } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import type { CommandDescription } from '#server/cli/commands/command-description.ts'
import { COMMANDS, type CommandName } from '#server/cli/commands/commands.ts'
import { type Command, run } from '#server/cli/run.ts'

const NAMES = Object.keys(COMMANDS) as CommandName[]
const TOP = [...new Set(NAMES.map((name) => name.split(' ')[0]!))]

/** A command that is loaded was carried out: asking for help must not do that. */
const commands = Object.fromEntries(
  TOP.map((name) => [
    name,
    async (): Promise<Command> => {
      throw new Error(`${name} was carried out`)
    },
  ]),
)

async function said(...words: string[]) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    const status = await run(commands, words)
    const textOf = (spy: typeof log) => spy.mock.calls.map(([text]) => String(text)).join('\n')
    return { status, output: textOf(log), errors: textOf(error) }
  } finally {
    log.mockRestore()
    error.mockRestore()
  }
}

/** Lines may be broken anywhere between words. */
const flat = (text: string) => text.replace(/\s+/g, ' ')

describe.each(NAMES)('rubrica %s', (name) => {
  const command: CommandDescription = COMMANDS[name]
  const words = name.split(' ')

  test('--help: explains purpose, use, options, example and exit statuses on standard output', async () => {
    const { status, output, errors } = await said(...words, '--help')
    expect([status, errors]).toEqual([0, ''])
    expect(flat(output)).toContain(flat(command.purpose))
    for (const form of command.forms) expect(output).toContain(`rubrica ${name} ${form}`.trimEnd())
    for (const [option, { help }] of Object.entries(command.options)) {
      expect(output).toMatch(new RegExp(`^ {2}(-\\w, )?--${option} `, 'm'))
      expect(flat(output)).toContain(help)
    }
    expect(output).toContain(`Ejemplo:\n  ${command.example}\n`)
    for (const [exit, meaning] of Object.entries(command.exits))
      expect(flat(output)).toContain(`${exit} ${meaning}`)
    expect(Object.keys(command.exits)).toContain('0')
  })

  test('help and -h: give the output of --help, also after other arguments', async () => {
    const { output } = await said(...words, '--help')
    expect(await said('help', ...words)).toEqual({ status: 0, output, errors: '' })
    expect(await said(...words, 'archivo.pdf', '-h')).toEqual({ status: 0, output, errors: '' })
  })

  test('use: shows every option and no other', () => {
    const use = [...command.forms, command.more ?? ''].join(' ')
    const shown = new Set([...use.matchAll(/--([a-z0-9-]+)/g)].map(([, option]) => option!))
    if (/(^| )-o /.test(use)) shown.add('output')
    expect([...shown].toSorted()).toEqual(Object.keys(command.options).toSorted())
  })

  test('example: gives only options that the command has', () => {
    const given: string[] = command.example.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
    const start = given.indexOf('rubrica')
    expect(given.slice(0, start).every((word) => /^[A-Z]+=/.test(word))).toBe(true)
    expect(given.slice(start + 1, start + 1 + words.length)).toEqual(words)
    const { options } = command
    const parse = () => parseArgs({ args: given.slice(start + 1), options, allowPositionals: true })
    expect(parse).not.toThrow()
  })
})

test.each([[[]], [['--help']], [['-h']]])('help %j: lists every command', async (words) => {
  const { status, output, errors } = await said(...(words.length > 0 ? words : ['help']))
  expect([status, errors]).toEqual([0, ''])
  for (const name of NAMES)
    expect(output).toMatch(new RegExp(`^  rubrica ${name} +${COMMANDS[name].summary}$`, 'm'))
})

test.each(['audit', 'trust'])('help %s: explains each of its commands', async (group) => {
  const { status, output } = await said(group, '--help')
  expect(status).toBe(0)
  for (const name of NAMES)
    expect(output.includes(`rubrica ${name}: `)).toBe(name.startsWith(`${group} `))
})

test.each([
  [['nada', '--help'], 'No existe el comando “nada”.'],
  [['help', 'nada'], 'No existe el comando “nada”.'],
  [['help', 'audit', 'nada'], 'No existe el comando “audit nada”.'],
  [['--', '--help'], 'No existe el comando “--”.'],
  [['nada'], 'No existe el comando “nada”.'],
  [[], 'Falta el comando.'],
])('%j: names the unknown command and exits with 2', async (words, sentence) => {
  const { status, output, errors } = await said(...words)
  expect([status, output, errors.split('\n')[0]]).toEqual([2, '', sentence])
})

test('--help behind --: is the name of a file', async () => {
  await expect(said('verify', '--', '--help')).rejects.toThrow('verify was carried out')
})
