import { findLogKeys } from '#server/adapters/log-key.ts'
import { openOfficeSeals } from '#server/cli/open-office.ts'
import { UsageError } from '#server/cli/usage.ts'
import type { Config } from '#server/config.ts'
import { findNewestCheckpoint } from '#server/db/audit/audit-checkpoints.ts'
import { findLog } from '#server/db/audit/logs.ts'
import type { Database } from '#server/db/database.ts'
import { listKeyVersions } from '#server/db/sealed-rows.ts'
import { readUnproven } from '#server/domain/audit/checkpoint.ts'
import { FIRST_LOG } from '#server/domain/audit/log.ts'

/**
 * Makes sure that the folder of the keys is that of the server: a backup without its keys opens no document, and only
 * its restore would say so.
 *
 * @returns the sealing keys that are used and gone
 * @throws {UsageError} without keys, or with those of another installation
 */
export async function mustHaveKeys(db: Database, config: Config): Promise<number[]> {
  const keys = openOfficeSeals(config)
  const logKeys = findLogKeys(config.secretsFolder)
  if (!logKeys)
    throw new UsageError(
      `No hay llave de la bitácora en ${config.secretsFolder}: revise DATA_DIR y SECRETS_DIR.`,
    )
  const newest = await findNewestCheckpoint(db, FIRST_LOG)
  const first = await findLog(db, FIRST_LOG)
  // The first log is named after the key. Whether the note is genuine is the doctor's question.
  if (newest && first && readUnproven(newest.note)?.origin !== logKeys(first).verifier.name)
    throw new UsageError(
      `Las llaves de ${config.secretsFolder} son de otra instalación: revise DATA_DIR y SECRETS_DIR.`,
    )
  const held = new Set(keys.versions())
  const used = await listKeyVersions(db)
  return [...used].filter((version) => !held.has(version)).toSorted((a, b) => a - b)
}
