import { cpSync } from 'node:fs'

/** The variable in which a whole run says where the data of a demo lie that was prepared and ended. */
const PREPARED = 'PREPARED_DEMO'

/** From now on each demo of this process and of its children begins with a copy of what lies there. */
export function offerPreparedDemo(dataFolder: string): void {
  process.env[PREPARED] = dataFolder
}

/**
 * Fills the folder for a demo that has not started yet, where one was prepared: to make people, keys and documents
 * anew takes as long as a test.
 */
export function copyPreparedDemo(dataFolder: string): void {
  const prepared = process.env[PREPARED]
  if (prepared) cpSync(prepared, dataFolder, { recursive: true })
}
