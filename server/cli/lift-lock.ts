import { existsSync } from 'node:fs'
import { systemClock } from '#server/adapters/clock.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { databaseAddress } from '#server/compose.ts'
import { openDatabase } from '#server/db/database.ts'
import { Email } from '#server/domain/identity/email.ts'
import { Problem } from '#server/domain/problem.ts'
import { liftLockOnServer } from '#server/features/users/lift-lock.ts'
import { complain, say } from './output.ts'
import { configOrUsageError, readArguments, UsageError } from './usage.ts'

/**
 * `rubrica lift-lock --email ADDRESS`: lets a user try to sign in again who failed too often.
 *
 * @returns 1 if no user has this address
 * @throws {UsageError} also without a database, so that a wrong folder does not get one
 */
export async function liftLock(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, COMMANDS['lift-lock'].options)
  const email = Email.safeParse(values.email).data
  if (!email || positionals.length > 0)
    throw new UsageError('Escriba el correo de la persona: --email CORREO.')
  const config = configOrUsageError()
  const address = databaseAddress(config)
  if (!config.databaseUrl && !existsSync(address))
    throw new UsageError(`No hay ninguna notaría en ${config.dataFolder}: revise DATA_DIR.`)
  const db = openDatabase(address)
  try {
    await db.migrate()
    const { name, locks } = await liftLockOnServer({ db, clock: systemClock }, { email })
    if (locks === 0) say(`La cuenta de ${name} no tiene ningún bloqueo.`)
    else say(`Se quitó el bloqueo de ${name}: ya puede intentar entrar. Queda en la bitácora.`)
    return 0
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    complain('Ninguna persona de la notaría entra con ese correo.')
    return 1
  } finally {
    await db.close()
  }
}
