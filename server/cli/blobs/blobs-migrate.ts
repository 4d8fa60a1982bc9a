import { openStore } from '#server/adapters/blobs/open-stores.ts'
import { listPlain } from '#server/adapters/blobs/plain-files.ts'
import { systemClock } from '#server/adapters/clock.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { mustBeOfThisRelease } from '#server/cli/must-be-of-this-release.ts'
import { openOffice } from '#server/cli/open-office.ts'
import { complain, say } from '#server/cli/output.ts'
import { configOrUsageError, orUsage, readArguments, UsageError } from '#server/cli/usage.ts'
import { blobFolder, makePrivate, openFiles } from '#server/compose.ts'
import { type Config, ConfigurationError, filesPlaceNamed } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { findFileStore } from '#server/db/installation/file-store.ts'
import { isProblem } from '#server/domain/problem.ts'
import { after, seconds } from '#server/domain/time.ts'
import { copyFiles, type Move, removeCopied } from '#server/features/installation/copy-files.ts'
import { mustHaveOwnStore } from '#server/installation-identity.ts'
import type { FileStore } from '#server/ports/file-store.ts'

/**
 * `rubrica blobs migrate`: copies the stored files to another place, and says how to go on. The place becomes a store of the database
 * once it has every file.
 *
 * @returns 1 if files are missing, or if a store does not answer
 * @throws {UsageError}
 */
export async function blobsMigrate(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, COMMANDS['blobs migrate'].options)
  if (!values.to || positionals.length > 0)
    throw new UsageError('Indique a dónde se copian los archivos: --to LUGAR.')
  const config = configOrUsageError()
  const db = openOffice(config)
  try {
    await mustBeOfThisRelease(db)
    makePrivate(config.dataFolder)
    return await migrate(db, config, { ...values, to: values.to })
  } catch (error) {
    if (!isProblem(error, 'files-unreachable')) throw error
    complain(`No se pudo usar un almacén de archivos (${error.message}). Repita el comando.`)
    return 1
  } finally {
    await db.close()
  }
}

type Order = { to: string; 'remove-source'?: boolean }

async function migrate(db: Database, config: Config, order: Order): Promise<number> {
  const stores = await openFiles(config, false)
  await orUsage(mustHaveOwnStore(db, stores))
  const id = await storeIdOf(db)
  const to = await openStore(placeNamed(order.to), { folder: blobFolder(config), cache: null })
  const isMain = to.place === stores.main.place
  const from = isMain ? stores.also : stores.files
  if (!from || from.place === to.place)
    throw new UsageError(
      `Los archivos ya están en ${to.place}. Si antes estaban en otro lugar, indíquelo en BLOBS_ALSO.`,
    )
  if (order['remove-source'] && !isMain)
    throw new UsageError(
      '--remove-source solo se puede usar cuando todos los servidores ya tienen LUGAR en BLOBS_URL y el lugar anterior en BLOBS_ALSO.',
    )
  await mustBeFree(to, id)
  const move: Move = { from, to }
  const { copied, held, lost } = await copyFiles({ db }, move, tellProgress())
  say(`Archivos copiados a ${to.place}: ${copied}; ya estaban: ${held}.`)
  const plain = await countPlain(stores.plain)
  if (lost + plain > 0) return complainOfRest(lost, plain)
  if (!isMain) {
    tellSwitch(order.to)
    return 0
  }
  await to.identity.write(id)
  // A process that started on it would miss what is stored from now on.
  await from.identity.remove()
  if (order['remove-source']) await removeSource(db, move)
  else
    say(
      `Todos los archivos están en ${to.place}. Quite BLOBS_ALSO y reinicie el servidor; para quitar antes los archivos de ${from.place}, use --remove-source.`,
    )
  return 0
}

async function storeIdOf(db: Database): Promise<string> {
  const known = await findFileStore(db)
  if (!known?.isConfirmed)
    throw new UsageError('El servidor no ha arrancado con esta versión: arránquelo una vez antes.')
  return known.id
}

function placeNamed(text: string) {
  try {
    return filesPlaceNamed(text)
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

async function mustBeFree(to: FileStore, id: string): Promise<void> {
  const found = await to.identity.read()
  if (found !== undefined && found !== id)
    throw new UsageError(`El almacén ${to.place} es de otra base de datos. Indique otro lugar.`)
}

/** A line each ten seconds: a store may take hours for what a folder takes minutes. */
function tellProgress() {
  let due = after(systemClock.now(), seconds(10))
  return ({ copied, held }: { copied: number; held: number }) => {
    if (systemClock.now() < due) return
    due = after(systemClock.now(), seconds(10))
    say(`Van ${copied + held} archivos.`)
  }
}

async function countPlain(folder: string | null): Promise<number> {
  let files = 0
  if (folder !== null) for await (const _ of listPlain(folder)) files += 1
  return files
}

function complainOfRest(lost: number, plain: number): number {
  if (lost > 0)
    complain(
      `Faltan ${lost} archivos que la base de datos nombra, o tienen otro tamaño. “rubrica doctor” dice cuáles son. Devuélvalos de su respaldo y repita.`,
    )
  if (plain > 0)
    complain(
      `Quedan ${plain} archivos de una versión anterior sin cifrar, que no se mudan. El servidor los cifra poco a poco; repita cuando “rubrica doctor” ya no los cuente.`,
    )
  return 1
}

function tellSwitch(named: string): void {
  const change =
    named === 'folder'
      ? 'Quite BLOBS_URL y ponga en BLOBS_ALSO el lugar que tenía'
      : `Ponga BLOBS_URL=${named} y BLOBS_ALSO=folder`
  say(
    `Falta copiar lo que se guarde a partir de ahora. ${change}, reinicie el servidor y ejecute otra vez este comando con esas variables. Si tiene varios equipos, vea antes “Moving to S3, and back” en docs/operations.md.`,
  )
}

async function removeSource(db: Database, move: Move): Promise<void> {
  const removed = await removeCopied({ db }, move)
  say(
    `Archivos quitados de ${move.from.place}: ${removed}. Quite BLOBS_ALSO y reinicie el servidor.`,
  )
}
