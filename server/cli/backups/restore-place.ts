import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { makePrivate, openFiles } from '#server/compose.ts'
import type { Config } from '#server/config.ts'
import { lockFile } from '#server/db/file-lock.ts'
import { isSecretFile } from '#server/domain/backups/entry-name.ts'
import { RestoreRefused } from './restore-refused.ts'

/** What a file system puts into an empty disk, and what an interrupted restore leaves. */
const STAGING = 'restoring'
const LOCK = 'restoring.lock'
const NOTHING = ['lost+found', STAGING, LOCK]

export const stagingFolder = (config: Config) => path.join(config.dataFolder, STAGING)

/**
 * Makes the place, and keeps other restores out of it.
 *
 * @returns lets them in again; removes a place that was made and stayed empty
 * @throws {RestoreRefused} while another one runs there
 */
export function holdPlace({ dataFolder }: Config): () => void {
  const isNew = !existsSync(dataFolder)
  makePrivate(dataFolder)
  const release = lockFile(path.join(dataFolder, LOCK))
  if (!release)
    throw new RestoreRefused(
      `Otra restauración está en curso en ${dataFolder}. Espere a que termine, o indique otra carpeta en DATA_DIR.`,
    )
  return () => {
    release()
    if (isNew && namesIn(dataFolder).length === 0) rmdirSync(dataFolder)
  }
}

/**
 * Makes sure that nothing is overwritten. Call while the place is held. Keys may be there: they are compared with those of the backup. Removes what
 * an interrupted restore left.
 *
 * @throws {RestoreRefused}
 */
export function mustBeEmptyPlace(config: Config): void {
  const { dataFolder, secretsFolder } = config
  const found = namesIn(dataFolder).filter((name) => !NOTHING.includes(name))
  // The folder of the keys usually lies in that of the data.
  const isOfKeys = (name: string) => path.join(dataFolder, name) === secretsFolder
  const [first] = found.filter((name) => !isOfKeys(name))
  if (first !== undefined)
    throw new RestoreRefused(
      `La carpeta de datos no está vacía: en ${dataFolder} está ${first}. Indique en DATA_DIR una carpeta vacía, o guarde en otro lugar lo que hay.`,
    )
  rmSync(stagingFolder(config), { recursive: true, force: true })
}

/**
 * Makes sure that the bucket of the files is of no installation: this one would remove files of the other.
 *
 * @throws {RestoreRefused}
 */
export async function mustBeEmptyStore(config: Config): Promise<void> {
  const { main } = await openFiles(config, false)
  if (config.files.place === 'folder' || (await main.identity.read()) === undefined) return
  throw new RestoreRefused(
    `El almacén de archivos ${main.place} ya es de una instalación. Indique en BLOBS_URL otro prefijo, que esté vacío.`,
  )
}

/** The keys that are there already must be those of the backup. @param staged the folder of these */
export function mustBeSameKeys({ secretsFolder }: Config, staged: string): void {
  for (const name of namesIn(staged).filter(isSecretFile)) {
    const file = path.join(secretsFolder, name)
    if (!existsSync(file) || readFileSync(file).equals(readFileSync(path.join(staged, name))))
      continue
    throw new RestoreRefused(
      `En ${secretsFolder} ya hay otra ${name}, que no es la del respaldo. Guárdela en otro lugar, o indique en SECRETS_DIR una carpeta vacía.`,
    )
  }
}

/** A restored database is larger than its compressed rows. */
const RESERVE = 64 << 20

/**
 * @param bytes of all the backups
 * @param free bytes of the disk
 * @throws {RestoreRefused}
 */
export function mustFit({ dataFolder }: Config, bytes: number, free = freeBytes(dataFolder)): void {
  const needed = bytes + RESERVE
  if (free >= needed) return
  throw new RestoreRefused(
    `No hay espacio en el disco de ${dataFolder}: se necesitan ${megabytes(needed)} MB y hay ${megabytes(free)} MB.`,
  )
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1_048_576)

function freeBytes(folder: string): number {
  const existing = existsSync(folder) ? folder : path.dirname(folder)
  if (!existsSync(existing)) return freeBytes(path.dirname(existing))
  const { bavail, bsize } = statfsSync(existing)
  return bavail * bsize
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted() : []
}
