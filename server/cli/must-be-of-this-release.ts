import type { Database } from '#server/db/database.ts'
import { isKnownStep, LATEST_STEP, stepOf } from '#server/db/migrate.ts'
import { UsageError } from './usage.ts'

/** @throws {UsageError} instead of migrating: the server may be one of another release */
export async function mustBeOfThisRelease(db: Database): Promise<void> {
  const step = await stepIn(db)
  if (step === undefined)
    throw new UsageError('La base de datos está vacía: no hay ninguna notaría.')
  mustBeLatest(step)
}

/** Makes the tables of an empty database, as the first start would. @throws {UsageError} instead of migrating another */
export async function mustBeEmptyOrOfThisRelease(db: Database): Promise<void> {
  const step = await stepIn(db)
  if (step === undefined) await db.migrate()
  else mustBeLatest(step)
}

async function stepIn(db: Database): Promise<string | undefined> {
  const snapshot = await db.snapshot()
  return await stepOf(snapshot.reader).finally(() => snapshot.end())
}

function mustBeLatest(step: string): void {
  if (step === LATEST_STEP) return
  throw new UsageError(
    isKnownStep(step)
      ? 'La base de datos es de una versión anterior de Rúbrica, o se está actualizando ahora. Use la misma versión que el servidor, o espere a que termine de arrancar.'
      : 'La base de datos es de una versión más nueva de Rúbrica que este programa. Use esa versión.',
  )
}
