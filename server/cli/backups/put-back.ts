import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { copyFile, open } from 'node:fs/promises'
import path from 'node:path'
import { manifestIn } from '#server/adapters/backups/held-before.ts'
import { stagedRows } from '#server/adapters/backups/staged-rows.ts'
import { createStaging, type Staging } from '#server/adapters/backups/staging.ts'
import { createUnpacked, unpack } from '#server/adapters/backups/unpack.ts'
import { syncFolder } from '#server/adapters/key-files.ts'
import { backupFolder, databaseAddress, makePrivate, openFiles } from '#server/compose.ts'
import type { Config } from '#server/config.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { placeOfEntry, secretName } from '#server/domain/backups/entry-name.ts'
import { BadRowsError, loadRows } from '#server/features/backups/load-rows.ts'
import { manifestName } from './manifest-name.ts'
import { type NamedBackup, orRefuse } from './read-chain.ts'
import { mustBeSameKeys, stagingFolder } from './restore-place.ts'
import { RestoreRefused } from './restore-refused.ts'

/** What the newest backup says that it holds. */
export type PutBack = { files: number; missing: number }

/**
 * Unpacks and checks everything beside its place, and only then moves it there: the database last, because a server finds
 * an office only in it.
 *
 * @throws {RestoreRefused}; then nothing is left
 */
export async function putBack(
  chain: readonly NamedBackup[],
  identities: readonly Uint8Array[],
  config: Config,
): Promise<PutBack> {
  const staging = await createStaging(stagingFolder(config))
  try {
    const unpacked = createUnpacked()
    for (const [turn, { full, named, header }] of chain.entries())
      await orRefuse(unpack({ file: full, header, turn }, identities, staging, unpacked), named)
    const last = chain.length - 1
    const held = await keepNewest(staging, last)
    mustBeSameKeys(config, path.join(staging.folder, 'secrets'))
    mustBeEncrypted(config, path.join(staging.folder, 'blobs'))
    staging.sync()
    const newest = chain[last]!
    await orRefuse(activate(newest, last, staging, config), newest.named)
    return held
  } finally {
    rmSync(staging.folder, { recursive: true, force: true })
  }
}

/** Removes what only earlier backups held: files that were deleted or encrypted since, and old keys. */
async function keepNewest(staging: Staging, turn: number): Promise<PutBack> {
  const names = new Set<string>()
  const found: PutBack = { files: 0, missing: 0 }
  for await (const line of manifestIn(staging.pathOf({ kind: 'manifest' }, turn))) {
    if (line.kind === 'missing') found.missing += 1
    if (line.kind !== 'held') continue
    if (turn > 0) names.add(line.name)
    if (placeOfEntry(line.name)?.kind === 'file') found.files += 1
  }
  if (turn === 0) return found
  await staging.keepFiles((name) => names.has(name))
  const secrets = path.join(staging.folder, 'secrets')
  for (const file of existsSync(secrets) ? readdirSync(secrets) : [])
    if (!names.has(secretName(file))) rmSync(path.join(secrets, file))
  return found
}

async function activate(
  { header }: NamedBackup,
  turn: number,
  staging: Staging,
  config: Config,
): Promise<void> {
  const { dataFolder, databaseUrl } = config
  const staged = path.join(staging.folder, 'rubrica.sqlite')
  const db = openDatabase(databaseUrl ?? staged)
  try {
    await restored(db, header.step, async (trx) => {
      await loadRows(trx, stagedRows(staging, turn))
      // PostgreSQL shows the rows when this returns: the files they name are there before.
      if (databaseUrl) await moveFiles(header, turn, staging, config)
    })
  } finally {
    await db.close()
  }
  if (databaseUrl) return
  await moveFiles(header, turn, staging, config)
  renameSync(staged, databaseAddress(config))
  syncFolder(dataFolder)
}

/** @throws {BadRowsError} instead of the errors of a database that refuses rows */
async function restored(db: Database, step: string, load: (trx: Transaction) => Promise<void>) {
  try {
    await db.restore(step, load)
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw new BadRowsError(error.message, { cause: error })
  }
}

/** Of a constraint or a type; not of a connection or a full disk. */
function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error)) return false
  const code = String(error.code)
  // SQLite names them; in PostgreSQL they have the classes 22, 23 and 42.
  return /^SQLITE_(?:CONSTRAINT|ERROR|MISMATCH|TOOBIG)|^(?:22|23|42)...$/.test(code)
}

async function moveFiles(
  { madeAt, id }: NamedBackup['header'],
  turn: number,
  staging: Staging,
  config: Config,
): Promise<void> {
  const { dataFolder, secretsFolder } = config
  if (config.files.place !== 'folder') await moveToStore(path.join(staging.folder, 'blobs'), config)
  for (const folder of ['blobs', 'audit'])
    if (existsSync(path.join(staging.folder, folder)))
      renameSync(path.join(staging.folder, folder), path.join(dataFolder, folder))
  await copyKeys(path.join(staging.folder, 'secrets'), secretsFolder)
  const manifests = backupFolder(config)
  mkdirSync(manifests, { recursive: true, mode: 0o700 })
  renameSync(
    staging.pathOf({ kind: 'manifest' }, turn),
    path.join(manifests, manifestName(madeAt, id)),
  )
  for (const folder of [manifests, dataFolder]) syncFolder(folder)
}

/** Files of an early release lie in the folder as they are: a bucket must not have them, and no process looks for them there. */
function mustBeEncrypted({ files }: Config, folder: string): void {
  if (files.place === 'folder' || !existsSync(folder)) return
  if (!readdirSync(folder).some((name) => PLAIN_SHELF.test(name))) return
  throw new RestoreRefused(
    'El respaldo tiene archivos sin cifrar de una versión anterior, que no se guardan en S3. Restáurelo sin BLOBS_URL, arranque el servidor hasta que los cifre y después use “rubrica blobs migrate”.',
  )
}

/** @see plainPathOf */
const PLAIN_SHELF = /^[0-9a-f]{2}$/

const UPLOADS_AT_ONCE = 4

/** Copies the files to the bucket, and removes them here. If we crash, the next restore copies them again. */
async function moveToStore(folder: string, config: Config): Promise<void> {
  if (!existsSync(folder)) return
  const { main } = await openFiles(config, false)
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  const waiting = found
    .filter((one) => one.isFile())
    .map((one) => path.join(one.parentPath, one.name))
  const uploading = Array.from({ length: UPLOADS_AT_ONCE }, async () => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
      await main.copy(file, path.relative(folder, file).split(path.sep).join('/'))
  })
  const ended = await Promise.allSettled(uploading)
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  rmSync(folder, { recursive: true })
}

/** Copies: the keys may lie on another disk. */
async function copyKeys(from: string, to: string): Promise<void> {
  makePrivate(to)
  for (const name of existsSync(from) ? readdirSync(from) : []) {
    const file = path.join(to, name)
    if (existsSync(file)) continue
    const temporary = `${file}.tmp`
    await copyFile(path.join(from, name), temporary)
    const handle = await open(temporary, 'r+')
    await handle.chmod(0o600)
    await handle.sync()
    await handle.close()
    renameSync(temporary, file)
  }
  syncFolder(to)
}
