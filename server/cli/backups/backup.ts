import { randomUUID } from 'node:crypto'
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { encrypted } from '#server/adapters/backups/age-pieces.ts'
import { openBackupSource } from '#server/adapters/backups/backup-source.ts'
import {
  BadManifestError,
  type ManifestOfBefore,
  readHeldBefore,
} from '#server/adapters/backups/held-before.ts'
import { createLineFile } from '#server/adapters/backups/line-file.ts'
import { openScratchFolder } from '#server/adapters/backups/scratch-folder.ts'
import { tarOf } from '#server/adapters/backups/tar.ts'
import { systemClock } from '#server/adapters/clock.ts'
import { syncFolder } from '#server/adapters/key-files.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { mustBeOfThisRelease } from '#server/cli/must-be-of-this-release.ts'
import { openOffice } from '#server/cli/open-office.ts'
import { complain, say, sayJson } from '#server/cli/output.ts'
import { removeWhenInterrupted, writeOutput } from '#server/cli/output-file.ts'
import { configOrUsageError, orUsage, readArguments, UsageError } from '#server/cli/usage.ts'
import { backupFolder, checkpointFolder, makePrivate, openFiles } from '#server/compose.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { readRecipient, recipientText } from '#server/domain/age/keys.ts'
import type { Backup } from '#server/domain/backups/backup.ts'
import { BackupId } from '#server/domain/backups/backup-header.ts'
import { isProblem } from '#server/domain/problem.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'
import { type BackupTotals, entriesOfBackup } from '#server/features/backups/entries-of-backup.ts'
import { recordBackup } from '#server/features/backups/record-backup.ts'
import { mustHaveOwnStore } from '#server/installation-identity.ts'
import type { FileStore } from '#server/ports/file-store.ts'
import { mustHaveKeys } from './keys-of-office.ts'
import { manifestName } from './manifest-name.ts'

/**
 * `rubrica backup`: writes everything that the installation is into one file that only the owner of a key opens. May run
 * beside the server, and twice at once.
 *
 * The file gets its name when it is whole and on the disk; then its manifest does; then it is recorded. If we crash
 * between these, the backup is whole, and the next one cannot stand on it or the office does not know it.
 *
 * @returns 1 if stored files or keys were missing
 * @throws {UsageError}
 */
export async function backup(
  args: string[],
  workingFolder: string,
  now = systemClock.now(),
): Promise<number> {
  const order = await readOrder(args, workingFolder)
  const config = configOrUsageError()
  const db = openOffice(config)
  try {
    await mustBeOfThisRelease(db)
    const lostKeys = await mustHaveKeys(db, config)
    const files = await ownFiles(db, config)
    makePrivate(config.dataFolder)
    const { made, manifest } = await write(order, { config, db, files }, now)
    await recordBackup({ db, clock: systemClock }, made)
    tell(made, order, manifest)
    return complainOfLost(made, lostKeys) ? 1 : 0
  } catch (error) {
    if (!isProblem(error, 'files-unreachable')) throw error
    complain(`No se hizo el respaldo: no se pudo leer el almacén de archivos (${error.message}).`)
    return 1
  } finally {
    await db.close()
  }
}

type Order = {
  output: string
  recipient: Uint8Array
  since: ManifestOfBefore | null
  workingFolder: string
  asJson: boolean
}

async function readOrder(args: string[], workingFolder: string): Promise<Order> {
  const { values, positionals } = readArguments(args, COMMANDS.backup.options)
  if (!values.output || positionals.length > 0)
    throw new UsageError('Indique en qué archivo se escribe el respaldo: -o ARCHIVO.')
  if (!values.recipient)
    throw new UsageError('Indique para qué llave se cifra el respaldo: --recipient age1….')
  const recipient = readRecipient(values.recipient)
  if (!recipient)
    throw new UsageError(
      'La llave de --recipient no es una llave pública de age: empieza con age1 y tiene 62 letras.',
    )
  return {
    output: values.output,
    recipient,
    since: values.since ? await manifestAt(values.since, workingFolder) : null,
    workingFolder,
    asJson: values.json === true,
  }
}

async function manifestAt(named: string, workingFolder: string): Promise<ManifestOfBefore> {
  const file = path.resolve(workingFolder, named)
  if (!existsSync(file)) throw new UsageError(`No se puede leer ${named}.`)
  try {
    return await readHeldBefore(file)
  } catch (error) {
    if (!(error instanceof BadManifestError)) throw error
    throw new UsageError(
      `${named} no es la lista de un respaldo, o está incompleta. Haga un respaldo completo, sin --since.`,
      { cause: error },
    )
  }
}

/** The stored files. @throws {UsageError} if they are of another database */
async function ownFiles(db: Database, config: Config): Promise<FileStore> {
  const stores = await openFiles(config, false)
  await orUsage(mustHaveOwnStore(db, stores))
  return stores.files
}

type Office = { config: Config; db: Database; files: FileStore }

async function write(order: Order, { config, db, files }: Office, madeAt: Instant) {
  const id = BackupId.parse(randomUUID())
  const folder = backupFolder(config)
  const scratch = openScratchFolder(folder)
  const [lines, names] = [scratch.unfinished(`${id}.manifest`), scratch.unfinished(`${id}.paths`)]
  const stopWatching = [lines, names].map(removeWhenInterrupted)
  const [manifest, paths] = [createLineFile(lines), createLineFile(names)]
  const totals: BackupTotals = { files: 0, missing: 0, entries: 0 }
  const { since } = order
  const before = since && { ...since.header, holds: since.holds }
  const source = openBackupSource({
    files,
    secrets: config.secretsFolder,
    checkpoints: checkpointFolder(config),
  })
  try {
    const parts = { id, madeAt, since: before, manifest, paths }
    const entries = entriesOfBackup({ db }, source, parts, totals)
    const full = path.resolve(order.workingFolder, order.output)
    const tar = tarOf(entries, new Date(madeAt))
    await writeOutput(encrypted(tar, order.recipient), full, order.output)
    const kept = path.join(folder, manifestName(madeAt, id))
    renameSync(lines, kept)
    syncFolder(folder)
    const made: Backup = {
      id,
      madeAt,
      since: since?.header.id ?? null,
      recipient: recipientText(order.recipient),
      bytes: statSync(full).size,
      files: totals.files,
      missing: totals.missing,
    }
    return { made, manifest: kept }
  } finally {
    for (const file of [manifest, paths]) file.close()
    for (const file of [lines, names]) rmSync(file, { force: true })
    for (const stop of stopWatching) stop()
  }
}

function tell(made: Backup, { output, asJson }: Order, manifest: string): void {
  if (asJson) {
    sayJson({ ...made, madeAt: toTimestamp(made.madeAt), file: output, manifest })
  } else {
    const kind = made.since ? 'Respaldo de lo nuevo' : 'Respaldo completo'
    say(`${kind}: ${output}, ${sizeOf(made.bytes)}; archivos de documentos: ${made.files}.`)
    say(`Su lista, para el siguiente (--since): ${manifest}`)
  }
}

/** @returns whether the backup lacks something that the database needs */
function complainOfLost({ missing }: Backup, lostKeys: readonly number[]): boolean {
  if (missing > 0)
    complain(
      `Faltaban ${missing} archivos de documentos que la base de datos nombra. “rubrica doctor” dice cuáles faltan.`,
    )
  if (lostKeys.length > 0)
    complain(
      `Faltan llaves con que se cifraron secretos (sealing-N.key, N: ${lostKeys.join(', ')}): tampoco están en el respaldo.`,
    )
  return missing + lostKeys.length > 0
}

const sizeOf = (bytes: number) =>
  bytes < 10_485_760 ? `${Math.ceil(bytes / 1024)} KB` : `${Math.ceil(bytes / 1_048_576)} MB`
