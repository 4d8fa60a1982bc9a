import { existsSync } from 'node:fs'
import { UsageError } from '#server/cli/usage.ts'
import { databaseAddress } from '#server/compose.ts'
import type { Config } from '#server/config.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { isKnownStep, LATEST_STEP, stepOf } from '#server/db/migrate.ts'

/** The database of the server, as it is. @throws {UsageError} without one, so that a wrong folder does not get one */
export function openOffice(config: Config): Database {
  const address = databaseAddress(config)
  if (!config.databaseUrl && !existsSync(address))
    throw new UsageError(`No hay ninguna notaría en ${config.dataFolder}: revise DATA_DIR.`)
  return openDatabase(address)
}

/** @throws {UsageError} instead of migrating: the server may be one of another release */
export async function mustBeOfThisRelease(db: Database): Promise<void> {
  const snapshot = await db.snapshot()
  const step = await stepOf(snapshot.reader).finally(() => snapshot.end())
  if (step === undefined)
    throw new UsageError('La base de datos está vacía: no hay ninguna notaría.')
  if (step === LATEST_STEP) return
  throw new UsageError(
    isKnownStep(step)
      ? 'La base de datos es de una versión anterior de Rúbrica, o se está actualizando ahora. Haga el respaldo con la misma versión que el servidor, o espere a que termine de arrancar.'
      : 'La base de datos es de una versión más nueva de Rúbrica que este programa. Haga el respaldo con esa versión.',
  )
}
