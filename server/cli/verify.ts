import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BecameShorter } from '#server/adapters/became-shorter.ts'
import { systemClock } from '#server/adapters/clock.ts'
import { openFile } from '#server/adapters/file-source.ts'
import { TIME_FOR_ONE_FILE } from '#server/adapters/limited-time.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { type ByteSource, toHex } from '#server/domain/bytes.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { type Instant, parseInstant } from '#server/domain/time.ts'
import { digestRanges } from '#server/domain/verification/digests.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { undetermined } from '#server/domain/verification/undetermined.ts'
import { printReport } from '#server/words/verification/print-report.ts'
import { askAuthorities } from './ask-authorities.ts'
import { describeReport } from './describe-report.ts'
import { judgeInTime, type Means } from './judge-in-time.ts'
import { complain, say, sayJson } from './output.ts'
import { orUsageError, readArguments, trustFrom, UsageError } from './usage.ts'

/**
 * `rubrica verify`: prints one report per file, in the given order. An unreadable file is named on standard
 * error; the others are still reported.
 *
 * @returns 0 if every verdict is VALID, including those about constancias, 2 if a file could not be read, else
 *   1
 * @throws {UsageError}
 */
export async function verify(
  args: string[],
  workingFolder: string,
  now = systemClock.now(),
  longest = TIME_FOR_ONE_FILE,
): Promise<number> {
  const { values, positionals } = readArguments(args, COMMANDS.verify.options)
  if (positionals.length === 0) throw new UsageError('Falta el archivo que se debe verificar.')
  const at = values.at === undefined ? now : readTime(values.at)
  const policy = { ...trustFrom(values.trust, workingFolder), at }
  const constancia = readConstancia(values.constancia, positionals, workingFolder)
  const print = values.json ? printJson : sayReport
  const authorities = values.offline ? undefined : askAuthorities()
  let status = 0
  for (const file of positionals) {
    const source = tryToOpen(file, workingFolder)
    const report =
      source && (await verifyAndClose(source, file, { policy, constancia, authorities, longest }))
    if (report) print(report)
    status = Math.max(status, report ? (isAllValid(report) ? 0 : 1) : 2)
  }
  return status
}

const printJson = (report: VerificationReport) => sayJson(printReport(report))
const sayReport = (report: VerificationReport) => say(describeReport(report))

const isAllValid = ({ verdict, constancia }: VerificationReport) =>
  verdict === 'VALID' && (constancia === undefined || constancia.verdict === 'VALID')

/** @throws {UsageError} */
function readConstancia(
  place: string | undefined,
  files: readonly string[],
  workingFolder: string,
): Uint8Array | undefined {
  if (place === undefined) return undefined
  if (files.length > 1) throw new UsageError('--constancia es de un solo archivo.')
  const bytes = orUsageError(
    () => `No se puede leer ${place}.`,
    () => new Uint8Array(readFileSync(path.resolve(workingFolder, place))),
  )
  if (bytes.length > MOST_BYTES) throw new UsageError(`${place} es demasiado grande.`)
  return bytes
}

/** Far more than a constancia with all its certificates. */
const MOST_BYTES = 1 << 20

function tryToOpen(file: string, workingFolder: string) {
  try {
    return openFile(path.resolve(workingFolder, file))
  } catch {
    complain(`No se puede leer ${shownText(file)}.`)
    return undefined
  }
}

async function verifyAndClose(
  source: ReturnType<typeof openFile>,
  file: string,
  means: Means,
): Promise<VerificationReport | undefined> {
  try {
    const report = await judgeInTime(source, file, means)
    return report ?? undetermined({ file, sha256: sha256Of(source), bytes: source.length })
  } catch (error) {
    if (!(error instanceof BecameShorter)) throw error
    complain(`${shownText(file)} cambió mientras se leía.`)
    return undefined
  } finally {
    source.close()
  }
}

const sha256Of = (source: ByteSource) => toHex(digestRanges(source, []).whole)

function readTime(text: string): Instant {
  return orUsageError(
    () => `--at espera una fecha como 2026-11-20T15:05:00Z, no “${text}”.`,
    () => parseInstant(text),
  )
}
