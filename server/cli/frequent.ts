import { run } from './run.ts'
import { sign } from './sign.ts'
import { verify } from './verify.ts'

/** The commands used most, often for one file after another: bundled into one file for a quick start. */
const COMMANDS = { sign: async () => sign, verify: async () => verify }

/** Runs a command line that starts with one of these names. @returns the exit status */
export const runFrequent = (args: readonly string[]): Promise<number> => run(COMMANDS, args)
