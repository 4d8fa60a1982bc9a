import { workingFolder } from '../config.ts'
import { USAGE, UsageError } from './usage.ts'

/* Each command is loaded when it is asked for. */
const COMMANDS = {
  agent: async () => (await import('./agent.ts')).agent,
  'rotate-keys': async () => (await import('./rotate-keys.ts')).rotateKeys,
  sign: async () => (await import('./sign.ts')).sign,
  trust: async () => (await import('./trust.ts')).trust,
  verify: async () => (await import('./verify.ts')).verify,
  'verify-intent': async () => (await import('./verify-intent.ts')).verifyIntent,
}

/** Carries out one command line. @returns the exit status */
export async function run([name = '', ...args]: readonly string[]): Promise<number> {
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
