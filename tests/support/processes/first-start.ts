import { compose } from '#server/compose.ts'
import { ConfigurationError, readConfig } from '#server/config.ts'

import { offerInstallation } from '#server/features/auth/offer-installation.ts'

/** How the start of a process ended. */
export type FirstStart = { kind: 'started' } | { kind: 'refused'; sentence: string }

/*
 * A program: starts an office with the variables of its message, as a server does before its jobs run, ends it again, and
 * says how it went. Says that it is there once it is loaded, so that several can be told to start at once.
 */
process.once('message', async (variables: Record<string, string>) => {
  try {
    const { system, close } = await compose(readConfig('start', variables))
    await offerInstallation(system)
    await close()
    process.send?.({ kind: 'started' } satisfies FirstStart)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    process.send?.({ kind: 'refused', sentence: error.message } satisfies FirstStart)
  }
  process.disconnect()
})
process.send?.('ready')
