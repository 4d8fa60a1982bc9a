import { systemClock } from '#server/adapters/clock.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { liftLockOnServer } from '#server/features/users/lift-lock.ts'
import { runForAccount } from './account-command.ts'
import { say } from './output.ts'
import { readArguments } from './usage.ts'

const SENTENCES = {
  missingEmail: 'Escriba el correo de la persona: --email CORREO.',
  refused: 'Ninguna persona de la notaría entra con ese correo.',
}

/**
 * `rubrica lift-lock --email ADDRESS`: lets a user try to sign in again who failed too often.
 *
 * @returns 1 if no user has this address
 * @throws {UsageError}
 */
export function liftLock(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, COMMANDS['lift-lock'].options)
  const given = { email: values.email, positionals }
  return runForAccount(given, SENTENCES, async ({ db, email }) => {
    const { name, locks } = await liftLockOnServer({ db, clock: systemClock }, { email })
    if (locks === 0) say(`La cuenta de ${name} no tiene ningún bloqueo.`)
    else say(`Se quitó el bloqueo de ${name}: ya puede intentar entrar. Queda en la bitácora.`)
  })
}
