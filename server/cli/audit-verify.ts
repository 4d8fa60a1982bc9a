import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { byteLines } from '#server/adapters/byte-lines.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { type Checkpoint, openCheckpoint } from '#server/domain/audit/checkpoint.ts'
import type { LogVerdict } from '#server/domain/audit/log-export.ts'
import { logJudge } from '#server/domain/audit/log-judge.ts'
import { parseVerifierKey, type VerifierKey } from '#server/domain/audit/signed-note.ts'
import { sentenceOfLogFault } from '#server/words/log-faults.ts'
import { complain, say, sayJson } from './output.ts'
import { orUsageError, readArguments, UsageError } from './usage.ts'

/** Far more than needed: an event has some hundred bytes. */
const LINE_LIMIT = 1 << 20

/**
 * `rubrica audit verify FILE`: checks an exported log against its checkpoints and reports the first fault.
 * Works offline and holds little of the file in memory.
 *
 * @returns 0 if the whole log is valid, 2 if the file could not be opened, else 1; without a key, the log's
 *   origin is unknown
 * @throws {UsageError}
 */
export async function auditVerify(args: string[], workingFolder: string): Promise<number> {
  const { values, positionals } = readArguments(args, COMMANDS['audit verify'].options)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0)
    throw new UsageError('Indique un solo archivo, el de la bitácora exportada.')
  const keys = (values.key ?? []).map(readKey)
  const checkpoints = (values.checkpoint ?? []).map((place) =>
    readCheckpoint(place, keys, workingFolder),
  )
  const judge = logJudge({ keys, checkpoints })
  try {
    const handle = await open(path.resolve(workingFolder, file))
    for await (const line of byteLines(handle.createReadStream(), LINE_LIMIT)) judge.read(line)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    complain(`No se puede leer ${file}.`)
    return 2
  }
  const verdict = judge.verdict()
  if (values.json) sayJson({ file, ...verdict })
  else say(describe(file, verdict, checkpoints.length > 0))
  return verdict.verdict === 'INTACT' ? 0 : 1
}

/** @throws {UsageError} */
export function readKey(text: string): VerifierKey {
  const key = parseVerifierKey(text)
  if (!key)
    throw new UsageError('--key espera la llave con que se comprueba, como la muestra Auditoría.')
  return key
}

/** @throws {UsageError} */
function readCheckpoint(
  place: string,
  keys: readonly VerifierKey[],
  workingFolder: string,
): Checkpoint {
  if (keys.length === 0) throw new UsageError('--checkpoint se usa con --key.')
  const note = orUsageError(
    () => `No se puede leer ${place}.`,
    () => readFileSync(path.resolve(workingFolder, place), 'utf8'),
  )
  const checkpoint = openCheckpoint(newestIn(note) ?? note, keys)
  if (!checkpoint)
    throw new UsageError(`${place} no es un punto de control firmado con la llave indicada.`)
  return checkpoint
}

/** The newest checkpoint of a copy of `checkpoints.jsonl`; undefined of any other file. */
function newestIn(text: string): string | undefined {
  const line = text.split('\n').findLast((one) => one.startsWith('{"checkpoint":'))
  try {
    return line && z.object({ checkpoint: z.string() }).parse(JSON.parse(line)).checkpoint
  } catch {
    return undefined
  }
}

const HEADLINES: Record<LogVerdict['verdict'], string> = {
  INTACT: 'ÍNTEGRA',
  BROKEN: 'ALTERADA',
  UNPROVEN: 'SIN COMPROBAR',
}

/** @param isCompared whether a checkpoint was given that was kept elsewhere */
function describe(file: string, verdict: LogVerdict, isCompared: boolean): string {
  const { fault, proven } = verdict
  const lines = [`${file}: ${HEADLINES[verdict.verdict]}`]
  if (fault) lines.push(sentenceOfLogFault(fault))
  if (fault?.kind === 'cut' && isCompared)
    lines.push(
      'Si el punto de control de --checkpoint es posterior a este archivo, exporte la bitácora otra vez y repita.',
    )
  if (proven) {
    const [first, signed] = signedUpTo(proven.size)
    const begin = fault ? `Hasta ahí, ${first.toLowerCase()}` : first
    lines.push(`${begin} ${signed}; raíz ${proven.root}.`)
  }
  return [...lines, ...(fault ? [] : limitsOf(verdict))].join('\n  ')
}

const signedUpTo = (size: number): [first: string, signed: string] =>
  size === 1
    ? ['El primer evento', 'es el que se firmó']
    : [`Los primeros ${size} eventos`, 'son los que se firmaron']

/** What the file cannot prove. */
function limitsOf({ key, proven, unproven, events }: LogVerdict): string[] {
  if (!proven) return ['No trae ningún punto de control firmado: nada prueba que esté completa.']
  return [
    ...(key === 'own'
      ? [
          'La firma se comprobó con la llave que viene en el mismo archivo: indique con --key la que la notaría publica; quien rehace el archivo puede poner otra.',
        ]
      : []),
    ...(unproven > 0
      ? [
          `${lastOnes(unproven, events)} cubre ninguna firma: quien entregó el archivo pudo escribir lo que sigue al último punto de control.`,
        ]
      : []),
    'Este archivo no puede mostrar eventos posteriores que se hayan quitado junto con sus puntos de control: si tiene uno guardado, indíquelo con --checkpoint.',
  ]
}

const lastOnes = (count: number, events: number) =>
  count === 1
    ? `El último evento, el ${events - 1}, no lo`
    : `Los últimos ${count} eventos, del ${events - count} al ${events - 1}, no los`
