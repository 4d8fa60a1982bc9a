import { execFileSync } from 'node:child_process'

/** The environment variable that holds the data folder of a demo that was prepared and ended. */
const PREPARED = 'PREPARED_DEMO'

/** Makes each later demo of this process and its children start from a copy of this folder. */
export function offerPreparedDemo(dataFolder: string): void {
  process.env[PREPARED] = dataFolder
}

/**
 * Fills the data folder of a demo that has not started yet from the prepared one, if any. Making people, keys and
 * documents anew takes as long as a test.
 */
export function copyPreparedDemo(dataFolder: string): void {
  const prepared = process.env[PREPARED]
  if (prepared) copyFolder(prepared, dataFolder)
}

/** Keeps the modes, which `cpSync` does not: the folder of the secrets is its owner's alone. */
export function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', `${from}/.`, to])
}
