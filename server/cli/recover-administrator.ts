import { systemClock } from '#server/adapters/clock.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { formatInstant } from '#server/domain/time.ts'
import { recoverAdministrator as recover } from '#server/features/users/recover-administrator.ts'
import { runForAccount } from './account-command.ts'
import { say } from './output.ts'
import { readArguments } from './usage.ts'

const SENTENCES = {
  missingEmail: 'Escriba el correo del administrador: --email CORREO.',
  refused: 'Ningún administrador activo tiene ese correo. No se creó ningún enlace.',
}

/**
 * `rubrica recover-administrator --email ADDRESS`: prints a link with which an administrator chooses a new password.
 *
 * @returns 1 if no active administrator has this address
 * @throws {UsageError}
 */
export function recoverAdministrator(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, COMMANDS['recover-administrator'].options)
  const given = { email: values.email, positionals }
  return runForAccount(given, SENTENCES, async ({ db, email, config: { publicOrigin } }) => {
    const offer = await recover({ db, clock: systemClock, settings: { publicOrigin } }, { email })
    say(`Enlace para que ${offer.name} elija una contraseña nueva, una sola vez:`)
    say(offer.link)
    say(
      `Vence: ${formatInstant(offer.expiresAt, LOCAL_ZONE)}. Su verificación en dos pasos no cambia.`,
    )
    say('Queda en la bitácora, y todas las personas de la notaría reciben un aviso.')
  })
}

/** Of the machine: the operator reads it there. */
const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
