import { existsSync } from 'node:fs'
import { systemClock } from '#server/adapters/clock.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { databaseAddress } from '#server/compose.ts'
import { openDatabase } from '#server/db/database.ts'
import { Email } from '#server/domain/identity/email.ts'
import { Problem } from '#server/domain/problem.ts'
import { formatInstant } from '#server/domain/time.ts'
import { recoverAdministrator as recover } from '#server/features/users/recover-administrator.ts'
import { complain, say } from './output.ts'
import { configOrUsageError, readArguments, UsageError } from './usage.ts'

/**
 * `rubrica recover-administrator --email ADDRESS`: prints a link with which an administrator chooses a new password.
 *
 * @returns 1 if no active administrator has this address
 * @throws {UsageError} also without a database, so that a wrong folder does not get one
 */
export async function recoverAdministrator(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, COMMANDS['recover-administrator'].options)
  const email = Email.safeParse(values.email).data
  if (!email || positionals.length > 0)
    throw new UsageError('Escriba el correo del administrador: --email CORREO.')
  const config = configOrUsageError()
  const address = databaseAddress(config)
  if (!config.databaseUrl && !existsSync(address))
    throw new UsageError(`No hay ninguna notaría en ${config.dataFolder}: revise DATA_DIR.`)
  const db = openDatabase(address)
  try {
    await db.migrate()
    const { publicOrigin } = config
    const offer = await recover({ db, clock: systemClock, settings: { publicOrigin } }, { email })
    say(`Enlace para que ${offer.name} elija una contraseña nueva, una sola vez:`)
    say(offer.link)
    say(
      `Vence: ${formatInstant(offer.expiresAt, LOCAL_ZONE)}. Su verificación en dos pasos no cambia.`,
    )
    say('Queda en la bitácora, y todas las personas de la notaría reciben un aviso.')
    return 0
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    complain('Ningún administrador activo tiene ese correo. No se creó ningún enlace.')
    return 1
  } finally {
    await db.close()
  }
}

/** Of the machine: the operator reads it there. */
const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
