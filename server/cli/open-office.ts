import { existsSync } from 'node:fs'
import {
  hasSealingKey,
  openSealingKeys,
  type SealingKeyFiles,
} from '#server/adapters/sealing-keys.ts'
import { databaseAddress } from '#server/compose.ts'
import type { Config } from '#server/config.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { UsageError } from './usage.ts'

/** @throws {UsageError} without a database, so that a wrong folder does not get one */
function mustHaveOffice(config: Config): void {
  if (!config.databaseUrl && !existsSync(databaseAddress(config)))
    throw new UsageError(`No hay ninguna notaría en ${config.dataFolder}: revise DATA_DIR.`)
}

/** The database of the server, as it is. @throws {UsageError} without one, so that a wrong folder does not get one */
export function openOffice(config: Config): Database {
  mustHaveOffice(config)
  return openDatabase(databaseAddress(config))
}

/**
 * The keys that seal the secrets of the database.
 *
 * @throws {UsageError} without any: a new one opens nothing, and the server would no longer say that they are lost
 */
export function openOfficeSeals({ secretsFolder }: Config): SealingKeyFiles {
  if (!hasSealingKey(secretsFolder))
    throw new UsageError(`No hay llaves en ${secretsFolder}: revise DATA_DIR y SECRETS_DIR.`)
  return openSealingKeys(secretsFolder)
}
