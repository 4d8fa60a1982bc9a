import { BadKeyError } from './adapters/key-files.ts'
import { type Config, ConfigurationError } from './config.ts'
import { NewerDatabaseError } from './db/migrate.ts'
import { isClosedToAccount } from './domain/installation/closed-to-account.ts'
import { DatabaseUnreachable } from './domain/installation/database-unreachable.ts'
import { isOutOfSpace } from './domain/installation/disk-floor.ts'

/**
 * PostgreSQL refuses the user or the password (28), or has no such database (3D).
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const REFUSED = /^(?:28|3D)/

const DAMAGED = /^SQLITE_(?:CORRUPT|NOTADB)/
const CLOSED_DATABASE = /^SQLITE_(?:CANTOPEN|READONLY)/

/**
 * Why no command can use the database, keys or folders of the configuration, and what to do.
 *
 * @param error of the first query, or of the first use of a file
 * @returns undefined for any other error
 */
export function unusableInstallation(
  error: unknown,
  config: Pick<Config, 'mode' | 'dataFolder'>,
): ConfigurationError | undefined {
  const sentence = sentenceOf(error, config)
  return sentence === undefined ? undefined : new ConfigurationError(sentence, { cause: error })
}

function sentenceOf(error: unknown, config: Pick<Config, 'mode' | 'dataFolder'>) {
  return sentenceOfFiles(error) ?? sentenceOfDatabase(error, config)
}

function sentenceOfFiles(error: unknown): string | undefined {
  if (error instanceof BadKeyError)
    return `La llave ${error.path} está incompleta o no es una llave. Cópiela otra vez de otro equipo de la instalación o de su respaldo, y arranque de nuevo. No se creó otra llave.`
  if (isClosedToAccount(error) && error.code === 'EROFS')
    return `Rúbrica no puede escribir en ${error.path}: está en un disco de solo lectura (EROFS). Ponga en DATA_DIR y SECRETS_DIR carpetas en que el servidor pueda escribir.`
  if (isClosedToAccount(error))
    return `La cuenta que ejecuta Rúbrica no puede usar ${error.path} (${error.code}). Póngalo a su nombre con chown, y también las carpetas en que está: lo que root copia o crea queda a nombre de root.`
  return undefined
}

function sentenceOfDatabase(
  error: unknown,
  { mode, dataFolder }: Pick<Config, 'mode' | 'dataFolder'>,
): string | undefined {
  if (error instanceof NewerDatabaseError)
    return mode === 'dev'
      ? `La base de datos tiene un cambio que este código no conoce (${error.message}). Vuelva a la rama que lo tiene, y el servidor arranca solo. O termine con Ctrl+C, borre ${dataFolder} y arranque de nuevo, con otra notaría.`
      : `La base de datos es de una versión más nueva de Rúbrica que este programa (${error.message}). Use esa versión o una posterior, o devuelva el respaldo que hizo antes de actualizar.`
  const isAway = error instanceof DatabaseUnreachable
  const known = isAway ? error.cause : error
  const code = known instanceof Error && 'code' in known ? String(known.code) : ''
  if (isAway || REFUSED.test(code))
    return `No se pudo abrir la base de datos de DATABASE_URL (${code || 'no responde'}). Revise que PostgreSQL esté en marcha y que el servidor, la base, el usuario y la contraseña sean correctos.`
  // Backups and restores also write their lists there.
  if (isOutOfSpace(error))
    return `No queda espacio en el disco de ${dataFolder} o en el de la base de datos (${code}). Libere espacio y repita.`
  if (CLOSED_DATABASE.test(code))
    return `La cuenta que ejecuta Rúbrica no puede abrir la base de datos de ${dataFolder} (${code}). Revise DATA_DIR, y que la carpeta y sus archivos estén a su nombre.`
  if (DAMAGED.test(code))
    return `La base de datos de ${dataFolder} está dañada (${code}). Conserve la carpeta tal como está y restaure el último respaldo en otra, con “rubrica restore”.`
  return undefined
}
