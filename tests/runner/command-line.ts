import process from 'node:process'
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Parses the options of a developer command; `--help` prints its usage, and a wrong option ends it with 2. */
export function parseCommandLine<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  const given = process.argv.slice(2)
  if (given.includes('--help') || given.includes('-h')) exitWith(usage, 0)
  try {
    return parseArgs(config)
  } catch (error) {
    return exitWith(`${error instanceof Error ? error.message : error}\n\n${usage}`, 2)
  }
}

export function exitWith(text: string, status: number): never {
  ;(status === 0 ? console.log : console.error)(text)
  process.exit(status)
}
