import { headerOf } from '#server/adapters/backups/unpack.ts'
import { isKnownStep } from '#server/db/migrate.ts'
import type { BackupHeader } from '#server/domain/backups/backup-header.ts'
import { chainOf } from '#server/domain/backups/chain.ts'
import { formatInstant, type Instant } from '#server/domain/time.ts'
import { RestoreRefused, sentenceAbout } from './restore-refused.ts'

/** A backup that is to be restored. */
export type NamedBackup = {
  /** As the user gave it. */
  named: string
  full: string
  header: BackupHeader
}

type Files = readonly { named: string; full: string }[]

/**
 * The backups in the order in which they are unpacked, the newest last.
 *
 * @throws {RestoreRefused} if one is none, is for another key or of a later release, or if one is missing
 */
export async function readChain(
  files: Files,
  identities: readonly Uint8Array[],
): Promise<NamedBackup[]> {
  const backups: NamedBackup[] = []
  for (const file of files)
    backups.push({ ...file, header: await orRefuse(headerOf(file.full, identities), file.named) })
  const found = chainOf(backups.map(({ header }) => header))
  const nameOf = (header: BackupHeader) => backups.find((one) => one.header === header)?.named
  switch (found.kind) {
    case 'missing':
      throw new RestoreRefused(
        `Falta un respaldo anterior: el del ${moment(found.needed.madeAt)} (${found.needed.id}). Indíquelo también.`,
      )
    case 'unrelated':
      throw new RestoreRefused(
        `${nameOf(found.stray)} no pertenece a los demás respaldos. Indique solo el más nuevo y los anteriores que necesita.`,
      )
    case 'repeated':
      throw new RestoreRefused(`${nameOf(found.header)} está repetido.`)
    case 'whole':
      mustBeKnown(found.chain.at(-1)!, nameOf)
      return found.chain.map((header) => backups.find((one) => one.header === header)!)
  }
}

function mustBeKnown(header: BackupHeader, nameOf: (header: BackupHeader) => string | undefined) {
  if (!isKnownStep(header.step))
    throw new RestoreRefused(
      `${nameOf(header)} es de una versión más nueva de Rúbrica que este programa. Use esa versión.`,
    )
}

export async function orRefuse<T>(work: Promise<T>, named: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    const sentence = sentenceAbout(error, named)
    if (sentence === undefined) throw error
    throw new RestoreRefused(sentence, { cause: error })
  }
}

/** Of the machine: the operator reads it there. */
export const moment = (at: Instant) =>
  formatInstant(at, Intl.DateTimeFormat().resolvedOptions().timeZone)
