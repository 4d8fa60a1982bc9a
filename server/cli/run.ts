import { workingFolder } from '../config.ts'
import { USAGE, UsageError, usageOf } from './usage.ts'

/** @returns the exit status; throws `UsageError` for wrong use */
export type Command = (args: string[], workingFolder: string) => Promise<number>

/**
 * Carries out one command line.
 *
 * @param commands by their names; each is loaded when it is asked for
 * @returns the exit status
 */
export async function run(
  commands: Readonly<Record<string, () => Promise<Command>>>,
  [name = '', ...args]: readonly string[],
): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') {
    console.log(USAGE)
    return 0
  }
  try {
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!load) throw new UsageError(`No existe la orden «${name}».`)
    const command = await load()
    return await command(args, workingFolder())
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}\n\n${usageOf(name)}`)
    return 2
  }
}
