import { readConfig } from '../config.ts'
import { sign } from './sign.ts'
import { USAGE, UsageError } from './usage.ts'
import { verify } from './verify.ts'

/*
 * The command line: as thin as the pages, over the same domain. Answers go to standard output, reasons to
 * standard error. Exit status: 0 done or all valid, 1 refused or not valid, 2 wrong use.
 */

const COMMANDS = { sign, verify }

const [name = '', ...args] = process.argv.slice(2)
process.exitCode = await run()

async function run(): Promise<number> {
  try {
    if (!Object.hasOwn(COMMANDS, name)) throw new UsageError(`No existe la orden «${name}».`)
    const { workingFolder } = readConfig('start')
    return await COMMANDS[name as keyof typeof COMMANDS](args, workingFolder)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}\n\n${USAGE}`)
    return 2
  }
}
