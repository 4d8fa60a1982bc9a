import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { keysIn } from './adapters/key-files.ts'
import { ConfigurationError } from './config.ts'
import type { Database } from './db/database.ts'
import {
  confirmFileStore,
  findFileStore,
  hasUnnamedFiles,
  insertFileStore,
  listSomeFiles,
} from './db/installation/file-store.ts'
import { insertKeyFingerprints, listKeyFingerprints } from './db/installation/key-fingerprints.ts'
import { lockUntilCommit } from './db/lock.ts'
import type { Reader } from './db/transaction.ts'
import { equalBytes } from './domain/bytes.ts'
import { fingerprintOf } from './domain/installation/key-fingerprint.ts'
import { isProblem } from './domain/problem.ts'
import { hasOtherKeys } from './features/installation/has-other-keys.ts'
import type { Clock } from './ports/clock.ts'
import type { FileStore } from './ports/file-store.ts'
import type { System } from './system.ts'

/*
 * A process must see the store and the keys of its database: with others it would miss every file, or seal secrets that the
 * other processes cannot open. The first start notes which they are.
 */

type Stores = { main: FileStore; also: FileStore | undefined }

/**
 * Makes sure that the stores are those of the database, and notes at the first start that they are. If we crash in between,
 * the next start goes on.
 *
 * @throws {ConfigurationError}
 */
export async function claimStore(
  db: Database,
  clock: Clock,
  { main, also }: Stores,
): Promise<void> {
  const known = await findFileStore(db)
  if (!known?.isConfirmed && !also) await mustNotBeEarlier(db, main)
  const id = known?.isConfirmed ? known.id : await noteStore(db, clock, main)
  await mustBeStores({ main, also }, id)
  if ((await idOf(main)) === undefined) await reaching(main, main.identity.write(id))
}

/** Checks the stores and writes nothing. Accepts any if the database has not noted one yet. */
export async function mustHaveOwnStore(db: Database, { main, also }: Stores): Promise<void> {
  const known = await findFileStore(db)
  if (!known?.isConfirmed) return
  await mustBeStores({ main, also }, known.id)
}

/** While files move, one of the two has no id yet, or none any more. */
async function mustBeStores({ main, also }: Stores, id: string): Promise<void> {
  const found = { main: await idOf(main), also: also && (await idOf(also)) }
  if (found.main !== undefined && found.main !== id) throw otherStore(main)
  if (also && found.also !== undefined && found.also !== id) throw otherStore(also)
  if (found.main === undefined && found.also === undefined) throw withoutId(main)
}

async function noteStore(db: Database, clock: Clock, store: FileStore): Promise<string> {
  const found = await idOf(store)
  // Read in this order: another first start notes an id before it gives it to the store.
  const before = await findFileStore(db)
  if (found !== undefined && found !== before?.id) throw otherStore(store)
  await mustHoldFiles(db, store)
  // Another process may start at the same time: both use the id of one.
  await db.transaction((trx) => insertFileStore(trx, randomUUID()))
  const noted = await findFileStore(db)
  if (!noted) throw new Error('the store was not noted')
  if (found === undefined) await reaching(store, store.identity.write(noted.id))
  await db.transaction((trx) => confirmFileStore(trx, clock.now()))
  return noted.id
}

const withoutId = ({ place }: FileStore) =>
  new ConfigurationError(
    `El almacén de archivos ${place} no es el de esta base de datos: le falta la identificación store-id. Revise BLOBS_URL, BLOBS_ALSO y DATA_DIR; para mudar los archivos use “rubrica blobs migrate”. No se cambió nada.`,
  )

/** Enough to tell a lost file from another store. */
const FILES_TRIED = 5

/** A database of an earlier release has files and no note of their store. */
async function mustHoldFiles(db: Database, store: FileStore): Promise<void> {
  const names = await listSomeFiles(db, FILES_TRIED)
  for (const name of names) if ((await reaching(store, store.size(name))) !== undefined) return
  if (names.length === 0) return
  throw new ConfigurationError(
    `En el almacén ${store.place} no está ninguno de los archivos de esta base de datos. Revise BLOBS_URL y DATA_DIR; para mudar los archivos use “rubrica blobs migrate”. No se cambió nada.`,
  )
}

/** An installation of an early release has documents in its folder that no row of a stored file names. */
async function mustNotBeEarlier(db: Database, store: FileStore): Promise<void> {
  if (!store.place.startsWith('s3:') || !(await hasUnnamedFiles(db))) return
  throw new ConfigurationError(
    `Los documentos de esta base de datos están todavía en la carpeta de datos, como los dejó una versión anterior, y no en ${store.place}. Arranque sin BLOBS_URL hasta que “rubrica doctor” ya no cuente archivos sin cifrar, y después use “rubrica blobs migrate”. No se cambió nada.`,
  )
}

const idOf = (store: FileStore) => reaching(store, store.identity.read())

const otherStore = ({ place }: FileStore) =>
  new ConfigurationError(
    `El almacén de archivos ${place} es de otra base de datos. Revise BLOBS_URL, BLOBS_ALSO, DATA_DIR y DATABASE_URL. No se cambió nada.`,
  )

async function reaching<T>({ place }: FileStore, work: Promise<T>): Promise<T> {
  return await work.catch((error) => {
    if (!isProblem(error, 'files-unreachable')) throw error
    throw new ConfigurationError(
      `No se pudo usar el almacén de archivos ${place} (${error.message}). Revise BLOBS_URL, las variables AWS_* y que el servidor responda.`,
      { cause: error },
    )
  })
}

/**
 * Makes sure that no key is of another installation, and that none is missing that would be made anew. Keys that the database does
 * not know yet are not examined.
 *
 * @throws {ConfigurationError}
 */
export async function mustHaveOwnKeys(db: Reader, folder: string): Promise<void> {
  const known = await listKeyFingerprints(db)
  const keys = keysIn(folder)
  for (const [name, fingerprint] of known) {
    const key = keys.get(name)
    const file = path.join(folder, name)
    if (key && !equalBytes(fingerprintOf(key), fingerprint))
      throw new ConfigurationError(
        `La llave ${file} no es la de esta base de datos: parece de otra instalación. Revise SECRETS_DIR, DATA_DIR y DATABASE_URL. No se cambió nada.`,
      )
    if (!key && isNeeded(name, known))
      throw new ConfigurationError(
        `Falta ${file}, que esta base de datos usa. Revise SECRETS_DIR, o copie esa llave de otro equipo de la instalación o de su respaldo, y arranque de nuevo. No se creó otra llave.`,
      )
  }
}

/**
 * Notes the keys that the database does not know yet.
 *
 * @param areNew whether this start has made them
 * @throws {ConfigurationError} if another process has noted others meanwhile
 */
export async function claimKeys(
  system: Pick<System, 'db' | 'vault'>,
  folder: string,
  areNew: boolean,
): Promise<void> {
  const { db } = system
  const known = await listKeyFingerprints(db)
  // They open nothing: the examination says so, and the right ones may come back.
  if (known.size === 0 && (await hasOtherKeys(system))) return
  await noteKeys(db, folder).catch((error) => {
    throw areNew && error instanceof ConfigurationError ? madeByAnother(folder, error) : error
  })
}

/** Of two first starts at once, each of which made keys. */
const madeByAnother = (folder: string, cause: ConfigurationError) =>
  new ConfigurationError(
    `Otro equipo creó las llaves de esta base de datos mientras este arrancaba por primera vez. Ponga en ${folder} las llaves de ese equipo, en lugar de las que hay, y arranque de nuevo.`,
    { cause },
  )

/** Notes keys that were added since the first start. Does nothing if none has been noted. */
export async function noteNewKeys(db: Database, folder: string): Promise<void> {
  if ((await listKeyFingerprints(db)).size > 0) await noteKeys(db, folder)
}

async function noteKeys(db: Database, folder: string): Promise<void> {
  await db.transaction(async (trx) => {
    await lockUntilCommit(trx, 'keys of the installation')
    // Another process may have noted others since ours were read: it would lose the key of its log.
    await mustHaveOwnKeys(trx, folder)
    const known = await listKeyFingerprints(trx)
    const added = [...keysIn(folder)].filter(([name]) => !known.has(name))
    const fingerprints = added.map(([name, key]) => [name, fingerprintOf(key)] as const)
    await insertKeyFingerprints(trx, new Map(fingerprints))
  })
}

/** Older sealing keys may be dropped, and an installation without them goes on with what it can open. */
function isNeeded(name: string, known: ReadonlyMap<string, Uint8Array>): boolean {
  const version = versionOf(name)
  return version === undefined || [...known.keys()].every((one) => (versionOf(one) ?? 0) <= version)
}

function versionOf(name: string): number | undefined {
  const [, version] = /^sealing-(\d+)\.key$/.exec(name) ?? []
  return version === undefined ? undefined : Number(version)
}
