import { hostname } from 'node:os'
import path from 'node:path'
import { NewerDatabaseError } from '#server/db/migrate.ts'
import { type OpenedStores, openStores } from './adapters/blobs/open-stores.ts'
import { createBlobs } from './adapters/blobs-files.ts'
import { openCheckpointFiles } from './adapters/checkpoint-file.ts'
import { systemClock } from './adapters/clock.ts'
import { createConstanciaProviders } from './adapters/constancia-provider.ts'
import { openDisk } from './adapters/disk.ts'
import { guardedBlobs } from './adapters/guarded-blobs.ts'
import { keysIn } from './adapters/key-files.ts'
import { findLogKeys, openLogKeys } from './adapters/log-key.ts'
import { measureLoopDelay } from './adapters/loop-delay.ts'
import { createMailer, createMailers } from './adapters/mailer.ts'
import { createMemory } from './adapters/memory.ts'
import { createPasswords } from './adapters/passwords.ts'
import { createPdfWork } from './adapters/pdf-work.ts'
import { createKeyTokens } from './adapters/pkcs11.ts'
import { makePrivateFolder, OpenToOthersError } from './adapters/private-folder.ts'
import { createPublicWork } from './adapters/public-work.ts'
import { createReportFiles } from './adapters/reports/report-files.ts'
import { createRevocationSource } from './adapters/revocation-source.ts'
import { hasSealingKey, openSealingKeys } from './adapters/sealing-keys.ts'
import { openSecrets } from './adapters/secrets.ts'
import { createSignerKeys } from './adapters/signer-keys.ts'
import { createTimestampAuthorities } from './adapters/timestamp-authorities.ts'
import { openTrustStore } from './adapters/trust-store.ts'
import { createVault } from './adapters/vault.ts'
import { createWebauthn } from './adapters/webauthn.ts'
import { type Config, ConfigurationError, environmentOf } from './config.ts'
import { findNewestCheckpoint } from './db/audit/audit-checkpoints.ts'
import { openEventQueue } from './db/audit/event-queue.ts'
import { type Database, openDatabase } from './db/database.ts'
import { hasOfficeKeys } from './db/documents/office-keys.ts'
import { fileRecordsIn } from './db/documents/stored-files.ts'
import { listTrusted, versionOfTrust } from './db/trust/authorities.ts'
import { listRevocationAnswers, replaceRevocationAnswer } from './db/trust/revocation-answers.ts'
import { FIRST_LOG } from './domain/audit/log.ts'
import { outgoingNetworks } from './domain/outgoing-networks.ts'
import { type Duration, days } from './domain/time.ts'
import { DEMO_CONSTANCIA_ISSUER } from './domain/timestamp/constancia-issuer.ts'
import {
  claimKeys,
  claimStore,
  mustHaveOwnKeys,
  mustHaveOwnStore,
} from './installation-identity.ts'
import { measuredWork } from './metrics/measured-work.ts'
import type { Meter } from './metrics/meter.ts'
import type { System } from './system.ts'
import { unusableInstallation } from './unusable-installation.ts'

/** Largest document in bytes, whatever the office's policy. */
export const UPLOAD_LIMIT = 200 * 1024 * 1024

/** Listeners of a process. */
type Watched = {
  /** Told each minute how long a request waited for the thread that serves them at most. */
  reportDelay?: (longest: Duration) => void
  /** Told why a process of public verification ended by itself. */
  reportEnd?: (error: Error) => void
  meter?: Pick<Meter, 'queried' | 'began' | 'worked'> | undefined
  /** An examination reads what is there, and notes nothing. */
  isExamination?: boolean
}

export type Composed = { system: System; close(): Promise<void> }

/** Path of the demo's OCSP responder. */
export const DEMO_OCSP_PATH = '/demo/ocsp'
/** Path of the demo's timestamp authority. */
export const DEMO_TIMESTAMP_PATH = '/demo/tsa'
/** Path of the demo's provider of constancias. */
export const DEMO_CONSTANCIA_PATH = '/demo/constancia'

/** Folder of the demo authority's certificates. */
const demoAuthorityFolder = (config: Config) => path.join(config.dataFolder, 'demo', 'authority')

/** Folder of the root of the demo's constancias, which is pinned separately. */
const demoConstanciaFolder = (config: Config) => path.join(config.dataFolder, 'demo', 'constancias')

/** `postgres://…`, or the path of the embedded database. */
export const databaseAddress = (config: Config) =>
  config.databaseUrl ?? path.join(config.dataFolder, 'rubrica.sqlite')

/** The signed checkpoints of the logs, outside the database. */
export const checkpointFolder = (config: Config) => path.join(config.dataFolder, 'audit')

/** Where the stored files lie. */
export const blobFolder = (config: Config) => path.join(config.dataFolder, 'blobs')

/** The local copies of files in S3. */
const cacheFolder = (config: Config) => path.join(config.dataFolder, 'blobs-cache')

/**
 * Where the files of the installation lie.
 *
 * @param isCached false reads what lies in S3 there, and leaves the local copies to the server
 */
export const openFiles = (config: Config, isCached: boolean): Promise<OpenedStores> =>
  openStores({
    folder: blobFolder(config),
    place: config.files.place,
    also: config.files.also,
    cache: isCached ? { folder: cacheFolder(config), limit: config.files.cache } : null,
  })

/** Where the manifests of backups lie. */
export const backupFolder = (config: Config) => path.join(config.dataFolder, 'backups')

/** Whether the process can start as soon as newer code runs. */
export const needsNewerCode = ({ cause }: ConfigurationError) => cause instanceof NewerDatabaseError

/**
 * Keeps what this process creates and what lies in the folders of the installation from other accounts of the
 * machine: the database is not encrypted.
 *
 * @throws {ConfigurationError} if a folder or file stays readable by them
 */
export function makePrivate(...folders: string[]): void {
  process.umask(0o077)
  try {
    for (const folder of folders) makePrivateFolder(folder)
  } catch (error) {
    if (!(error instanceof OpenToOthersError)) throw error
    throw new ConfigurationError(
      `Otras cuentas de este equipo pueden leer ${error.path}, y no se le pudo quitar ese permiso. Póngalo a nombre de la cuenta que arranca Rúbrica y use chmod -R go= con él, en un sistema de archivos que guarde permisos.`,
      { cause: error },
    )
  }
}

/** A new key cannot continue the checkpoints of a lost one. @throws {ConfigurationError} when it is lost */
async function mustHaveLogKey(db: Database, folder: string): Promise<void> {
  if (findLogKeys(folder) || !(await findNewestCheckpoint(db, FIRST_LOG))) return
  throw new ConfigurationError(
    `Falta ${path.join(folder, 'log.key')}, la clave con que se firmó la bitácora de esta base de datos. Revise SECRETS_DIR, o devuelva ese archivo de su respaldo y arranque de nuevo. No se creó otra clave: con ella no se podría seguir la bitácora.`,
  )
}

async function mustHaveKeys(db: Database, folder: string): Promise<void> {
  await mustHaveLogKey(db, folder)
  await mustHaveSealingKey(db, folder)
  await mustHaveOwnKeys(db, folder)
}

/** A new sealing key cannot open the files of a lost one. @throws {ConfigurationError} when all are lost */
async function mustHaveSealingKey(db: Database, folder: string): Promise<void> {
  if (hasSealingKey(folder) || !(await hasOfficeKeys(db))) return
  throw new ConfigurationError(
    `Falta ${path.join(folder, 'sealing-1.key')} o una posterior: con esas llaves se cifraron los documentos de esta base de datos. Revise SECRETS_DIR, o devuelva los archivos de su respaldo y arranque de nuevo. No se creó otra llave: con ella no se podría leer ningún documento.`,
  )
}

/**
 * Creates the System from the configuration and migrates the database.
 *
 * @throws {ConfigurationError} also if an irreplaceable key is missing, if keys or files are of another installation, or closed
 *   to this account
 */
export async function compose(config: Config, watched: Watched = {}): Promise<Composed> {
  return await composeAny(config, watched).catch((error) => {
    throw unusableInstallation(error, config) ?? error
  })
}

async function composeAny(config: Config, watched: Watched): Promise<Composed> {
  makePrivate(config.dataFolder)
  const disk = openDisk(config.dataFolder)
  const db = openDatabase(databaseAddress(config), disk.spendReserve, watched.meter?.queried)
  try {
    await db.migrate()
    await mustHaveKeys(db, config.secretsFolder)
    return await composeOn({ db, disk }, config, watched)
  } catch (error) {
    await db.close()
    throw error
  }
}

/** The keys, which are made at the first start, and the files. */
async function openOwn(db: Database, config: Config, isExamination: boolean) {
  const { secretsFolder } = config
  makePrivate(secretsFolder)
  const areNew = keysIn(secretsFolder).size === 0
  const secrets = openSecrets(secretsFolder)
  const logKeys = openLogKeys(secretsFolder)
  const vault = createVault(openSealingKeys(secretsFolder))
  const stores = await openFiles(config, !isExamination)
  if (isExamination) await mustHaveOwnStore(db, stores)
  else {
    await claimKeys({ db, vault }, secretsFolder, areNew)
    await claimStore(db, systemClock, stores)
  }
  return { ...secrets, logKeys, vault, stores }
}

async function composeOn(
  { db, disk }: Pick<System, 'db' | 'disk'>,
  config: Config,
  { reportDelay = () => {}, reportEnd = () => {}, meter, isExamination = false }: Watched,
): Promise<Composed> {
  const { csrfKey, tokenKey, logKeys, vault, stores } = await openOwn(db, config, isExamination)
  const pdf = measuredWork(createPdfWork(), meter)
  const publicPdf = measuredWork(createPublicWork({ environmentOf, report: reportEnd }), meter)
  const loopDelay = measureLoopDelay({ report: reportDelay })
  const networks = outgoingNetworks(config.providerNetworks)
  const isDemo = config.mode !== 'start'
  const revocationBy = (work: System['pdf']) =>
    createRevocationSource({
      networks,
      work,
      clock: systemClock,
      memory: {
        list: (key) => listRevocationAnswers(db, key),
        keep: (key, answer) => db.transaction((trx) => replaceRevocationAnswer(trx, key, answer)),
      },
    })
  const eventQueue = openEventQueue(db)
  const system: System = {
    db,
    eventQueue,
    clock: systemClock,
    memory: createMemory(),
    loopDelay,
    blobs: guardedBlobs(
      await createBlobs(stores, { records: fileRecordsIn(db), vault, clock: systemClock }),
      disk,
    ),
    disk,
    reports: createReportFiles(),
    checkpoints: openCheckpointFiles(checkpointFolder(config)),
    passwords: await createPasswords(),
    vault,
    pdf,
    publicPdf,
    webauthn: createWebauthn(config.publicOrigin),
    signerKeys: createSignerKeys(),
    trust: openTrustStore({
      folders: isDemo ? [demoAnchors(config)] : [],
      ...(isDemo && { constancias: demoConstancias(config) }),
      decisions: {
        version: (scope) => versionOfTrust(db, scope),
        list: (scope) => listTrusted(db, scope),
      },
      isDemo,
    }),
    constancias: createConstanciaProviders({ networks, vault }),
    mailer: config.mail ? createMailer(config.mail) : null,
    mailers: createMailers({ networks }),
    revocation: revocationBy(pdf),
    publicRevocation: revocationBy(publicPdf),
    timestamps: createTimestampAuthorities({
      accept: pdf.acceptStamp,
      networks,
      clock: systemClock,
    }),
    tokens: config.pkcs11Module ? createKeyTokens(config.pkcs11Module, environmentOf) : null,
    settings: {
      publicOrigin: config.publicOrigin,
      isDemo,
      uploadLimit: UPLOAD_LIMIT,
      machine: hostname(),
      backupAge: isDemo || config.backupDays === 0 ? null : days(config.backupDays),
      networks,
      csrfKey,
      tokenKey,
      logKeys,
    },
  }
  return {
    system,
    async close() {
      loopDelay.close()
      await Promise.all([pdf.close(), publicPdf.close(), eventQueue.drain()])
      await db.close()
    },
  }
}

const demoAnchors = (config: Config) =>
  ({
    folder: demoAuthorityFolder(config),
    label: 'Autoridad de demostración',
    forTesting: true,
    revocation: 'when-available',
    ocsp: [`${config.publicOrigin}${DEMO_OCSP_PATH}`],
  }) as const

const demoConstancias = (config: Config) =>
  ({
    folder: demoConstanciaFolder(config),
    label: 'Constancias de prueba',
    forTesting: true,
    revocation: 'when-available',
    issuers: [DEMO_CONSTANCIA_ISSUER],
  }) as const
