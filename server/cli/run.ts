import { readConfig, workingFolder } from '#server/config.ts'
import { helpOf, isOfServer, listOfCommands, topicOf, usageOf } from './help.ts'
import { complain, outliveReader, say } from './output.ts'
import { UsageError } from './usage.ts'

/** @returns the exit status */
export type Command = (args: string[], workingFolder: string) => Promise<number>

/**
 * Runs one command line.
 *
 * @param commands loaders by command name
 * @returns the exit status
 */
export async function run(
  commands: Readonly<Record<string, () => Promise<Command>>>,
  words: readonly string[],
): Promise<number> {
  const [name = '', ...args] = words
  outliveReader()
  try {
    if (name === 'help') return explain(args.filter((word) => !isHelp(word)).join(' '))
    if (asksForHelp(words)) return explain(isHelp(name) ? '' : topicOf(words))
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!load) throw new UsageError(name ? `No existe el comando “${name}”.` : 'Falta el comando.')
    const command = await load()
    return await command(args, workingFolder())
  } catch (error) {
    if (error instanceof UsageError) complain(`${error.message}\n\n${usageOf(topicOf(words))}`)
    else complain((await unusable(error, topicOf(words))).message)
    return 2
  }
}

/** @throws the error, unless it says that the database of the server cannot be used */
async function unusable(error: unknown, topic: string): Promise<Error> {
  if (!isOfServer(topic)) throw error
  // Loads the database, which no other command line needs.
  const { unusableInstallation } = await import('#server/unusable-installation.ts')
  const reason = unusableInstallation(error, readConfig('start'))
  if (!reason) throw error
  return reason
}

/** After `--` there are only file names. */
function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  const options = end === -1 ? words : words.slice(0, end)
  return options.some(isHelp)
}

const isHelp = (word: string) => word === '--help' || word === '-h'

/** @param topic empty for all commands. @throws {UsageError} for an unknown name */
function explain(topic: string): number {
  const help = topic === '' ? listOfCommands() : helpOf(topic)
  if (help === undefined) throw new UsageError(`No existe el comando “${topic}”.`)
  say(help)
  return 0
}
