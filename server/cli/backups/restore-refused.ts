import { OtherRecipientError } from '#server/adapters/backups/age-pieces.ts'
import { BadManifestError } from '#server/adapters/backups/held-before.ts'
import { BadArchiveError } from '#server/adapters/backups/tar.ts'
import { NotEmptyError, UnknownStepError } from '#server/db/restore-rows.ts'
import { BadHeader } from '#server/domain/age/header.ts'
import { DamagedStream } from '#server/domain/age/stream.ts'
import { isOutOfSpace } from '#server/domain/installation/disk-floor.ts'
import { isProblem } from '#server/domain/problem.ts'
import { BadRowsError } from '#server/features/backups/load-rows.ts'

/** Nothing was restored; `message` es-MX. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused'
}

const NOTHING_DONE = 'No se restauró nada.'

/** The same as `sentenceAbout`, and that nothing was restored. */
export function sentenceOfFailure(error: unknown, file: string): string | undefined {
  const sentence = sentenceAbout(error, file)
  return sentence && `${sentence} ${NOTHING_DONE}`
}

/**
 * Why a restore failed, es-MX.
 *
 * @param file the backup that was read, as the user gave it
 * @returns undefined for a bug
 */
export function sentenceAbout(error: unknown, file: string): string | undefined {
  if (error instanceof RestoreRefused) return error.message
  if (error instanceof OtherRecipientError)
    return `La llave de --identity no abre ${file}: se cifró para otra.`
  if (error instanceof BadHeader) return `${file} no es un respaldo, o su principio cambió.`
  if (error instanceof DamagedStream) return `${file} está incompleto o cambió después de hacerse.`
  if (isBadContent(error))
    return `${file} se abrió, pero no contiene un respaldo de Rúbrica completo (${error.message}).`
  if (error instanceof UnknownStepError)
    return `${file} es de una versión más nueva de Rúbrica que este programa. Use esa versión.`
  if (error instanceof NotEmptyError)
    return 'La base de datos de DATABASE_URL no está vacía. Cree una nueva e indíquela.'
  if (isProblem(error, 'files-unreachable'))
    return `No se pudo usar el almacén de archivos (${error.message}).`
  if (isOutOfSpace(error)) return 'Se acabó el espacio en el disco.'
  if (isUnwritable(error)) return 'No se puede escribir en la carpeta de datos: revise DATA_DIR.'
  if (isSystemError(error))
    return `No se puede leer o escribir ${error.path ?? file} (${error.code}).`
  return undefined
}

const isBadContent = (error: unknown): error is Error =>
  error instanceof BadArchiveError ||
  error instanceof BadManifestError ||
  error instanceof BadRowsError

const isUnwritable = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'SQLITE_CANTOPEN'

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error
