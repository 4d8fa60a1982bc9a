import { openCheckpointFiles } from '#server/adapters/checkpoint-file.ts'
import { systemClock } from '#server/adapters/clock.ts'
import { findLogKeys } from '#server/adapters/log-key.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { mustBeOfThisRelease } from '#server/cli/must-be-of-this-release.ts'
import { openOffice } from '#server/cli/open-office.ts'
import { complain, say } from '#server/cli/output.ts'
import { configOrUsageError, readArguments, UsageError } from '#server/cli/usage.ts'
import { checkpointFolder, UPLOAD_LIMIT } from '#server/compose.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { LogMismatch } from '#server/domain/audit/log-fault.ts'
import { Problem } from '#server/domain/problem.ts'
import { formatInstant, seconds } from '#server/domain/time.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { CreateOffice, createOffice } from '#server/features/installation/create-office.ts'
import { sentenceOfLogFault } from '#server/words/log-faults.ts'
import { sentenceOfCode } from '#server/words/problems.ts'

/**
 * `rubrica office create`: adds an office to the installation. The server may keep running.
 *
 * @returns 0 if it was made, 1 if it was refused
 * @throws {UsageError}
 */
export async function officeCreate(args: string[]): Promise<number> {
  const input = readOrder(args)
  const config = configOrUsageError()
  const db = openOffice(config)
  try {
    await mustBeOfThisRelease(db)
    return await create(db, config, input)
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    complain(reason)
    return 1
  } finally {
    await db.close()
  }
}

function readOrder(args: string[]): CreateOffice {
  const { values, positionals } = readArguments(args, COMMANDS['office create'].options)
  const input = CreateOffice.safeParse({
    office: {
      ...{ number: values.number, entity: values.entity, municipality: values.municipality },
      ...{ address: values.address, timeZone: values['time-zone'], name: values.name },
    },
    administrator: {
      ...{ firstName: values['first-name'], lastName: values['last-name'] },
      ...{ email: values.email, rfc: values.rfc },
    },
  })
  if (!input.success || positionals.length > 0)
    throw new UsageError(`Falta o no es válido: ${faultsIn(input.error?.issues ?? [])}.`)
  return input.data
}

async function create(db: Database, config: Config, input: CreateOffice): Promise<number> {
  const logKeys = findLogKeys(config.secretsFolder)
  if (!logKeys)
    throw new UsageError(
      `No hay llave de la bitácora en ${config.secretsFolder}: revise DATA_DIR y SECRETS_DIR.`,
    )
  const { publicOrigin } = config
  const checkpoints = openCheckpointFiles(checkpointFolder(config))
  const settings = { logKeys, publicOrigin, uploadLimit: UPLOAD_LIMIT }
  const system = { db, clock: systemClock, checkpoints, settings }
  // Before: little is left to sign while writers wait. After: the new checkpoints are in their files at once.
  await checkpointLogs(system, undefined, seconds(0))
  const made = await createOffice(system, input)
  await checkpointLogs(system, undefined, seconds(0))
  say(
    `Se creó ${made.office.name}. Enlace para que su administrador elija una contraseña, una sola vez:`,
  )
  say(made.link)
  say(`Vence: ${formatInstant(made.expiresAt, made.office.timeZone)}.`)
  say('Cada notaría tiene desde ahora su propia bitácora; la anterior quedó cerrada y firmada.')
  say('Empieza con las autoridades de la instalación: revíselas con rubrica trust list.')
  return 0
}

const OPTION_OF: Record<string, string> = {
  ...{ timeZone: 'time-zone', firstName: 'first-name', lastName: 'last-name' },
}

const faultsIn = (issues: readonly { path: PropertyKey[] }[]) =>
  [...new Set(issues.map(({ path }) => String(path.at(-1))))]
    .map((field) => `--${OPTION_OF[field] ?? field}`)
    .join(', ') || 'lo que sobra'

function reasonOf(error: unknown): string | undefined {
  if (error instanceof LogMismatch)
    return `No se creó la notaría: la bitácora no coincide con lo que se firmó. ${sentenceOfLogFault(error.fault)}`
  if (!(error instanceof Problem)) return undefined
  return error.code === 'wrong-state'
    ? 'Todavía no hay ninguna notaría: la primera se crea con el enlace que muestra npm start.'
    : sentenceOfCode(error.code)
}
