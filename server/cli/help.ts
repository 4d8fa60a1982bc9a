import type { CommandDescription } from '#server/cli/commands/command-description.ts'
import { COMMANDS, type CommandName } from '#server/cli/commands/commands.ts'

const NAMES = Object.keys(COMMANDS) as CommandName[]
const WIDTH = 100

/** All commands, one line each. */
export function listOfCommands(): string {
  const width = Math.max(...NAMES.map((name) => name.length))
  const lines = NAMES.map((name) => `  rubrica ${name.padEnd(width)}  ${COMMANDS[name].summary}`)
  return [
    'Uso:',
    '  rubrica COMANDO [OPCIONES] [ARCHIVO…]',
    '',
    'Comandos:',
    ...lines,
    '',
    '“rubrica help COMANDO” o “rubrica COMANDO --help” explica un comando: sus opciones, un ejemplo y con qué',
    'código termina. En una copia del proyecto, “rubrica” se escribe “npm run -s rubrica --”.',
  ].join('\n')
}

/**
 * The help of a command: description, options, an example and exit statuses; for a group (`audit`, `trust`), of
 * each of its commands.
 *
 * @param topic the name of a command or of a group
 * @returns undefined for an unknown name
 */
export function helpOf(topic: string): string | undefined {
  const names = namesOf(topic)
  return names.length > 0 ? names.map(pageOf).join('\n\n') : undefined
}

/**
 * The usage of a command, short enough that the error above it stays visible.
 *
 * @param topic as for `helpOf`; an unknown name lists all commands
 */
export function usageOf(topic: string): string {
  const names = namesOf(topic)
  if (names.length === 0) return listOfCommands()
  return ['Uso:', ...names.flatMap(formsOf), `  rubrica help ${topic}`].join('\n')
}

/** The command or group at the start of a command line. */
export function topicOf([first = '', second = '']: readonly string[]): string {
  const both = `${first} ${second}`
  return NAMES.some((name) => name === both) ? both : first
}

/** Whether the command works on the data of the server. */
export const isOfServer = (topic: string): boolean =>
  namesOf(topic).some((name) => {
    const command: CommandDescription = COMMANDS[name]
    return command.isOfServer === true
  })

const namesOf = (topic: string) =>
  NAMES.filter((name) => name === topic || name.startsWith(`${topic} `))

function formsOf(name: CommandName): string[] {
  const { forms, more }: CommandDescription = COMMANDS[name]
  return [
    ...forms.map((form) => `  rubrica ${name} ${form}`.trimEnd()),
    ...(more ? [`         ${more}`] : []),
  ]
}

function pageOf(name: CommandName): string {
  const command: CommandDescription = COMMANDS[name]
  const options = Object.entries(command.options).map(
    ([long, { short, value, help }]) =>
      [`${short ? `-${short}, ` : ''}--${long}${value ? ` ${value}` : ''}`, help] as const,
  )
  const exits = Object.entries(command.exits)
  return [
    ...wrapped(`rubrica ${name}: ${command.summary}.`, ''),
    '',
    ...wrapped(command.purpose, ''),
    ...(command.isOfServer ? ['', ...wrapped(OF_SERVER, '')] : []),
    '',
    'Uso:',
    ...formsOf(name),
    ...(options.length > 0 ? ['', 'Opciones:', ...table(options)] : []),
    '',
    'Ejemplo:',
    `  ${command.example}`,
    '',
    'Termina con:',
    ...table(exits),
  ].join('\n')
}

const OF_SERVER =
  'Los datos del servidor se encuentran con las mismas variables con que se inicia: DATA_DIR, SECRETS_DIR, DATABASE_URL.'

/** Two columns; long texts wrap within the second. */
function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 4
  return rows.flatMap(([left, right]) => {
    const [first = '', ...rest] = wrapped(right, ' '.repeat(width))
    return [`  ${left}`.padEnd(width) + first.trimStart(), ...rest]
  })
}

function wrapped(text: string, indent: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(indent + line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, indent + line]
}
