import { workingFolder } from '../config.ts'
import { USAGE, UsageError } from './usage.ts'

/*
 * The command line: as thin as the pages, over the same domain. Answers go to standard output, reasons to
 * standard error. Exit status: 0 done or all valid, 1 refused or not valid, 2 wrong use.
 */

/* Each command is loaded when it is asked for. */
const COMMANDS = {
  sign: async () => (await import('./sign.ts')).sign,
  verify: async () => (await import('./verify.ts')).verify,
}

const [name = '', ...args] = process.argv.slice(2)
process.exitCode = await run()

async function run(): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') {
    console.log(USAGE)
    return 0
  }
  try {
    if (!Object.hasOwn(COMMANDS, name)) throw new UsageError(`No existe la orden «${name}».`)
    const command = await COMMANDS[name as keyof typeof COMMANDS]()
    return await command(args, workingFolder())
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}\n\n${USAGE}`)
    return 2
  }
}
