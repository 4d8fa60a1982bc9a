import { run } from './run.ts'
import { sign } from './sign.ts'
import { verify } from './verify.ts'

/** What is asked most, and often for one file after the other: bundled into one file, so that it starts quickly. */
const COMMANDS = { sign: async () => sign, verify: async () => verify }

/** Carries out a command line that begins with one of these names. @returns the exit status */
export const runFrequent = (args: readonly string[]): Promise<number> => run(COMMANDS, args)
