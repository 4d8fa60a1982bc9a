import path from 'node:path'
import { openCheckpointFiles } from '#server/adapters/checkpoint-file.ts'
import { systemClock } from '#server/adapters/clock.ts'
import { findLogKeys } from '#server/adapters/log-key.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { checkpointFolder } from '#server/compose.ts'
import { listLogs } from '#server/db/audit/logs.ts'
import type { Database } from '#server/db/database.ts'
import { listOffices } from '#server/db/people/offices.ts'
import type { Log } from '#server/domain/audit/log.ts'
import { formatVerifierKey } from '#server/domain/audit/signed-note.ts'
import { exportWholeLog } from '#server/features/audit/export-whole-log.ts'
import { sentenceOfLogFault } from '#server/words/log-faults.ts'
import { mustBeOfThisRelease } from './must-be-of-this-release.ts'
import { openOffice } from './open-office.ts'
import { complain, say } from './output.ts'
import { writeOutput } from './output-file.ts'
import { configOrUsageError, readArguments, UsageError } from './usage.ts'

/**
 * `rubrica audit export -o FILE`: exports the whole log with every checkpoint, after signing one over its end.
 * The server may keep running; events that it writes meanwhile are left out.
 *
 * @returns 0 if the whole file is signed, 1 if the log has a fault; then it is exported as it is
 * @throws {UsageError} also without a key, so that a wrong folder does not get one
 */
export async function auditExport(args: string[], workingFolder: string): Promise<number> {
  const { values, positionals } = readArguments(args, COMMANDS['audit export'].options)
  if (values.output === undefined || positionals.length > 0)
    throw new UsageError('Falta el archivo en que se escribe la bitácora: -o ARCHIVO.')
  const config = configOrUsageError()
  const logKeys = findLogKeys(config.secretsFolder)
  if (!logKeys)
    throw new UsageError(
      `No hay llave de la bitácora en ${config.secretsFolder}: revise DATA_DIR y SECRETS_DIR.`,
    )
  const db = openOffice(config)
  try {
    await mustBeOfThisRelease(db)
    const log = await logNamed(db, values.log)
    const checkpoints = openCheckpointFiles(checkpointFolder(config))
    const system = { db, clock: systemClock, checkpoints, settings: { logKeys } }
    const exported = await exportWholeLog(system, log)
    const file = path.resolve(workingFolder, values.output)
    await writeOutput(ended(exported.lines), file, values.output)
    say(`Llave con que se comprueba: ${formatVerifierKey(logKeys(log).verifier)}`)
    if (exported.later > 0) say(describeLater(exported.later))
    if (exported.fault) complain(`No se firmó el final. ${sentenceOfLogFault(exported.fault)}`)
    return exported.fault ? 1 : 0
  } finally {
    await db.close()
  }
}

/** @throws {UsageError} where there are several, and none or another is named */
async function logNamed(db: Database, named: string | undefined): Promise<Log> {
  const logs = await listLogs(db)
  const log = logs.find(({ number }) => String(number) === named) ?? (named ? undefined : logs[0])
  if (log && (named || logs.length === 1)) return log
  const offices = new Map((await listOffices(db)).map(({ id, name }) => [id, name]))
  const lines = logs.map(
    (one) =>
      `  ${one.number}  ${one.officeId ? offices.get(one.officeId) : 'De la instalación'}${one.closedAt === null ? '' : ' (cerrada)'}`,
  )
  throw new UsageError(`Indique cuál bitácora: --log NÚMERO.\n${lines.join('\n')}`)
}

const describeLater = (later: number) =>
  later === 1
    ? 'No se exportó el último evento: se escribió mientras tanto y todavía no lo cubre ninguna firma.'
    : `No se exportaron los últimos ${later} eventos: se escribieron mientras tanto y todavía no los cubre ninguna firma.`

/** Write larger pieces: one write per line would take most of the time. */
const PIECE = 64 * 1024

async function* ended(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let length = 0
  for await (const line of lines) {
    held.push(line, NEWLINE)
    length += line.length + 1
    if (length < PIECE) continue
    yield Buffer.concat(held)
    held = []
    length = 0
  }
  yield Buffer.concat(held)
}

const NEWLINE = new TextEncoder().encode('\n')
