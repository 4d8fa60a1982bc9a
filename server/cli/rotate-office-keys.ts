import { systemClock } from '#server/adapters/clock.ts'
import { createVault } from '#server/adapters/vault.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import type { Instant } from '#server/domain/time.ts'
import {
  dropOldOfficeKeys,
  type RotatedOffice,
  rotateOfficeKeys as rotate,
} from '#server/features/installation/rotate-office-keys.ts'
import { mustBeOfThisRelease } from './must-be-of-this-release.ts'
import { openOffice, openOfficeSeals } from './open-office.ts'
import { complain, say } from './output.ts'
import { configOrUsageError, readArguments } from './usage.ts'

/**
 * `rubrica rotate-office-keys`: makes a new key for each office and wraps the keys of its files with it; the server
 * may keep running. `--drop-old` deletes older keys that wrap nothing any more.
 *
 * @returns 1 if the key of a file cannot be opened
 * @throws {UsageError} also without a database or a key of the vault, so that a wrong folder gets neither
 */
export async function rotateOfficeKeys(
  args: string[],
  _workingFolder: string,
  now: () => Instant = systemClock.now,
): Promise<number> {
  const { values } = readArguments(args, COMMANDS['rotate-office-keys'].options)
  const config = configOrUsageError()
  const keys = openOfficeSeals(config)
  const db = openOffice(config)
  try {
    await mustBeOfThisRelease(db)
    const system = { db, vault: createVault(keys), clock: { now } }
    if (values['drop-old']) {
      const dropped = await dropOldOfficeKeys(system)
      say(dropped > 0 ? `Llaves borradas: ${dropped}.` : 'No hay llaves que se puedan borrar.')
      return 0
    }
    return report(await rotate(system))
  } finally {
    await db.close()
  }
}

function report(rotated: readonly RotatedOffice[]): number {
  if (rotated.length === 0) say('Ninguna notaría tiene archivos todavía.')
  for (const { office, number, files } of rotated)
    say(`${office.name}: llave ${number}; archivos protegidos con ella de nuevo: ${files}.`)
  const unreadable = rotated.flatMap((one) => one.unreadable)
  if (unreadable.length === 0) return 0
  complain(`No se pudo abrir la llave de ${unreadable.length} archivos; quedan como estaban:`)
  for (const file of unreadable) complain(`  ${file}`)
  return 1
}
